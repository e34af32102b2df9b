// The theme searches in a Worker. It loads a file of this name from another host unless we have one. Two things are
// different here.

// An option is found as it is typed: the search would read its hyphens as "not".
function withoutHyphens(message) {
  if (typeof message.data !== "string") return message;
  return { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") };
}

if (location.protocol === "file:") {
  // Browsers start no Worker from a file, so its script runs in a hidden frame.
  // The theme looks for the name IFrameWorker.
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      this.isLoaded = false;
      this.waiting = [];
      const reply = "self.postMessage = (data) => parent.postMessage({ fromWorker: data }, '*')";
      this.frame.srcdoc = `<script>${reply}</script><script src="${new URL(url, location)}"></script>`;
      this.frame.addEventListener("load", () => {
        this.isLoaded = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
      window.addEventListener("message", (event) => {
        if (event.source !== this.frame.contentWindow || !("fromWorker" in event.data)) return;
        this.dispatchEvent(new MessageEvent("message", { data: event.data.fromWorker }));
      });
      const add = () => document.body.append(this.frame);
      if (document.body) add();
      else document.addEventListener("DOMContentLoaded", add);
    }

    postMessage(message) {
      const data = withoutHyphens(message);
      // the frame's own postMessage is the reply of the worker
      if (this.isLoaded) this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
} else {
  window.Worker = class extends Worker {
    postMessage(message, ...rest) {
      super.postMessage(withoutHyphens(message), ...rest);
    }
  };
}
