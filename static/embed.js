// <logstep-figure>: a figure in somebody else's page. docs/embedding.md says how it is used. Of one fixed name, so that pages
// can ask for it for years.

const MOST_HEIGHT = 10_000;
const NEAR = "400px"; // a figure is loaded when it is this near to what is seen
const PATIENCE = 10_000; // milliseconds
const MOST = 45; // asked in a second; a figure hears 50

const PARAMETERS = ["scenario", "step", "lang", "theme", "show", "compact", "autoplay", "speed", "host"];

// The attributes that a figure follows as it is, each with the method that it is for; for the others it is loaded anew.
const FOLLOWED = { lang: "set", theme: "set", step: "seek" };

// The methods, each with the field that its value is, or with none if it is all of them.
const METHODS = { load: "scenario", play: "", pause: "", step: "by", back: "by", seek: "", act: "action", set: "", state: "" };

const EVENTS = ["ready", "step", "answered", "goal", "error"];

// What stands inside lies over the frame until that is ready, and the height is for as long as the figure has not said its own. Not an inline style, which a strict policy refuses.
const looks = new CSSStyleSheet();
looks.replaceSync(
  `:host{display:grid}:host([hidden]){display:none}slot,iframe{grid-area:1/1}` +
  `slot:not([hidden]){display:block;z-index:1}iframe{width:100%;height:560px;border:0;opacity:0}[hidden]+iframe{opacity:1}`,
);

let lastAsked = 0;

class Figure extends HTMLElement {
  static observedAttributes = [...PARAMETERS, "src", "label"];

  static {
    for (const [type, field] of Object.entries(METHODS)) {
      this.prototype[type] = function (value) { return this.#ask(type, field ? { [field]: value } : value); };
    }
  }

  #root = this.attachShadow({ mode: "open" });
  #inside = document.createElement("slot"); // hidden once the figure is ready
  #frame = document.createElement("iframe"); // in its place while it is loaded
  #recent = 0; // how much was asked within the last second
  #asked = new Map(); // what the figure has not answered, by id
  #nearness = new IntersectionObserver((seen) => { if (seen.at(-1).isIntersecting) this.#load(); }, { rootMargin: NEAR });
  #listen = ({ source, data }) => { if (source && source === this.#frame.contentWindow && data?.logstep === 1) this.#hear(data); };

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [looks];
    this.#root.append(this.#inside);
  }

  connectedCallback() {
    addEventListener("message", this.#listen);
    this.#nearness.observe(this);
  }

  disconnectedCallback() {
    removeEventListener("message", this.#listen);
    this.#nearness.disconnect();
    this.#unload();
    for (const id of this.#asked.keys()) this.#fail(id, "taken away");
  }

  attributeChangedCallback(name, before, value) {
    if (!this.#frame.isConnected || before === value) return;
    if (name === "label") this.#name();
    // What goes wrong is told by the event.
    else if (FOLLOWED[name] && value !== null) this[FOLLOWED[name]]({ [name]: name === "step" ? Number(value) : value }).catch(() => {});
    else {
      this.#unload();
      // Once for all that are changed together.
      queueMicrotask(() => this.#load());
    }
  }

  #address() {
    const src = this.getAttribute("src");
    const address = new URL(src ?? "./", src === null ? import.meta.url : document.baseURI);
    // An address of another kind could be a script, which would run as this page.
    if (!/^https?:$/.test(address.protocol)) throw new TypeError("src is not http");
    address.searchParams.set("embed", "");
    for (const name of PARAMETERS) if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
    return address.href;
  }

  #name() {
    this.#frame.title = this.getAttribute("label") ?? (this.textContent.trim() || "logstep");
  }

  // A frame that is put in anew makes no entries in the history of the page.
  #load() {
    if (this.#frame.isConnected || !this.isConnected) return;
    this.#name();
    this.#frame.src = this.#address();
    this.#root.append(this.#frame);
  }

  #unload() {
    this.#frame.remove();
    this.#inside.hidden = false;
  }

  #post(message) {
    this.#frame.contentWindow.postMessage({ ...message, logstep: 1 }, "*");
  }

  // Loads the figure if it is not there; what is asked meanwhile waits for it.
  #ask(type, values) {
    return new Promise((done, fail) => {
      this.#load();
      const id = (lastAsked += 1);
      const message = { ...values, type, id };
      this.#asked.set(id, { message, done, fail });
      if (this.#recent === MOST) return this.#fail(id, "too much at once", "too-often");
      this.#recent += 1;
      setTimeout(() => { this.#recent -= 1; }, 1_000);
      setTimeout(() => this.#fail(id, "the figure does not answer"), PATIENCE);
      if (this.#inside.hidden) this.#post(message);
    });
  }

  #take(id) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }

  #fail(id, message, code = "failed") {
    this.#take(id)?.fail(Object.assign(new Error(message), { code }));
  }

  #hear({ logstep, type, id, ...detail }) {
    if (type === "height") this.#frame.style.height = `${Math.min(detail.height, MOST_HEIGHT)}px`;
    if (type === "ready") {
      this.#inside.hidden = true;
      this.#post({ type: "hello" });
      for (const { message } of this.#asked.values()) this.#post(message);
    }
    if (type === "error") {
      this.#fail(id, detail.message, detail.code);
      // A figure that cannot start says why itself.
      this.#inside.hidden = true;
    }
    if (type === "done" || type === "state") this.#take(id)?.done(detail);
    if (EVENTS.includes(type)) this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

// A page may name the script twice, by two addresses.
if (!customElements.get("logstep-figure")) customElements.define("logstep-figure", Figure);
