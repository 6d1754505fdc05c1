// Fetches, compiles and starts the app, one stage after the other, so that what goes wrong can be
// named. In a file of its own because a strict content security policy refuses inline scripts.

const boot = window.logstepBoot; // Absent when boot.js has already said why nothing can start.

const address = (name) => new URL(document.querySelector(`meta[name="${name}"]`).content, document.baseURI).href;

async function fetchProgram(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText} ${url}`);
  return response;
}

// Compiling while the bytes arrive is faster, but browsers refuse to where a host does not know
// the type of a .wasm file.
async function compile(response) {
  const type = response.headers.get("Content-Type") || "";
  return type.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function start() {
  let kind = "network";
  try {
    const [glue, program] = await Promise.all([
      import(address("app-glue")),
      fetchProgram(address("app-wasm")).then(compile),
    ]);
    kind = "stopped";
    await glue.default({ module_or_path: program });
    boot.started();
  } catch (error) {
    if (error instanceof WebAssembly.CompileError && /content security policy|csp/i.test(error.message)) kind = "refused";
    else if ([SyntaxError, WebAssembly.CompileError, WebAssembly.LinkError].some((type) => error instanceof type)) kind = "damaged";
    boot.fail(kind, error);
    console.error(error);
  }
}

if (boot) start();
