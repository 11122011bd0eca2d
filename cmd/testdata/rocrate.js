// Prints, one a line, the errors that the package ro-crate finds in the crate of the first
// argument, and the files that it says the metadata leave out. It asks no network: where
// its Validator fetches the context of RO-Crate 1.1, it gets that of 1.2 from the package,
// in which the terms that it looks up mean the same.
const fs = require("fs");
const path = require("path");
const context = JSON.stringify(require("ro-crate/lib/context.json"));
globalThis.fetch = async (url) => String(url) === "https://w3id.org/ro/crate/1.1/context" ? new Response(context) : new Response("{}");
const { Validator } = require("ro-crate");

async function main(dir) {
  const validator = new Validator();
  validator.parseJSON(fs.readFileSync(path.join(dir, "ro-crate-metadata.json"), "utf8"));
  if (validator.crate) {
    await validator.crate.resolveContext();
    await validator.validate();
    const files = fs.readdirSync(dir, { recursive: true }).filter((name) => fs.statSync(path.join(dir, name)).isFile());
    validator.checkFiles(Object.fromEntries(files.map((name) => [name, { exists: true, isDir: false }])));
  }
  for (const r of validator.results) {
    if (r.status !== "success") console.log(r.status, r.id, r.entity || "", r.message);
  }
}

main(process.argv[2]);
