// Search from file://: browsers start no Worker there, so the script of the worker runs in a hidden
// frame. The theme looks for the name IFrameWorker.
if (location.protocol === "file:") {
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

    postMessage(data) {
      if (this.isLoaded) this.frame.contentWindow.postMessage(data, "*");
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
