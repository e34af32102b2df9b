"""What the site changes in the HTML of pages."""

from __future__ import annotations

from site_build.page_html import copied_text, improve_html

PROMPT = '<span class="gp">$ </span>'


def test_copied_text_has_neither_prompts_nor_output():
    lines = [
        f"{PROMPT}irbounds<span> </span>a<span> </span>&gt;<span> </span>b<span> </span>\\",
        "    -m AP",
        '<span class="go">output \\</span>',
        "",
        f"{PROMPT}next",
    ]
    assert copied_text("\n".join(lines)) == "irbounds a > b \\\n    -m AP\nnext"


def test_copied_text_is_an_attribute_of_blocks_with_prompts_only():
    block = '<div class="highlight"><pre><span></span><code>{}</code></pre></div>'
    other = block.format("plain $ text\n")
    session = block.format(f'{PROMPT}echo "a"\n<span class="go">a</span>\n{PROMPT}two\n')
    changed = improve_html(other + session)
    assert changed.startswith(other)
    assert changed.count('<div class="highlight" data-copy="echo &quot;a&quot;&#10;two">') == 1


def test_options_in_the_text_are_whole():
    text = "<p><code>-m AP --ties expected non-option a--b</code></p>"
    assert improve_html(text) == (
        '<p><code><span class="option">-m</span> AP <span class="option">--ties</span> expected '
        "non-option a--b</code></p>"
    )


def test_figures_are_links_unless_they_are_thumbnails():
    image = '<img alt="x" src="a/b.svg" />'
    assert improve_html(f"<p>{image}</p>") == (
        f'<p><a class="figure" href="a/b.svg">{image}</a></p>'
    )
    thumbnail = f'<p><a href="#x">{image}<br>x</a></p>'
    assert improve_html(thumbnail) == thumbnail
