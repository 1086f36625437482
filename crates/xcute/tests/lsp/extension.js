// Runs the extension of VS Code as it is, with the parts of VS Code that it uses in place of VS Code, and a language client that talks to the real server.
// usage: node extension.js EXTENSION XCUTE FILE; prints what happened as JSON.
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const Module = require('module');
const { pathToFileURL } = require('url');

const [extension, xcute, file] = process.argv.slice(2);
const seen = { shown: [], status: [], ended: [], diagnostics: [] };
const commands = new Map();
let changed;
let settings = { path: xcute, time: '20s' };

const vscode = {
  workspace: {
    getConfiguration: (name) => ({ get: (key, otherwise) => (name === 'xcute' && key in settings ? settings[key] : otherwise) }),
    onDidChangeConfiguration: (listener) => { changed = listener; return {}; },
  },
  window: {
    showErrorMessage: (text) => seen.shown.push(text),
    setStatusBarMessage: (text) => seen.status.push(text),
  },
  env: { clipboard: { writeText: async (text) => { seen.clipboard = text; } } },
  commands: { registerCommand: (name, run) => { commands.set(name, run); return {}; } },
};

// A client as small as can be: requests, notifications, and what the server sends by itself.
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(this, { id, name, server, options, waiting: new Map(), last: 0, text: Buffer.alloc(0) }); LanguageClient.all.push(this); }
  start() {
    return new Promise((resolve, reject) => {
      this.child = spawn(this.server.command, this.server.args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: require('path').dirname(file) });
      this.child.on('error', reject);
      this.over = new Promise((over) => this.child.on('exit', (code) => { seen.ended.push(code); over(); }));
      this.child.stdout.on('data', (data) => { this.text = Buffer.concat([this.text, data]); this.read(); });
      this.child.on('spawn', async () => {
        const folder = pathToFileURL(require('path').dirname(file)).href;
        const capabilities = { window: { workDoneProgress: true } };
        const about = await this.request('initialize', { processId: process.pid, rootUri: folder, capabilities, initializationOptions: this.options.initializationOptions });
        // Commands of the server are commands of the editor.
        seen.server = about.serverInfo.name; seen.provided = about.capabilities.executeCommandProvider.commands;
        this.notify('initialized', {});
        resolve();
      });
    });
  }
  async stop() { await this.request('shutdown', null); this.notify('exit', null); await this.over; }
  send(message) { const text = JSON.stringify({ jsonrpc: '2.0', ...message }); this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`); }
  notify(method, params) { this.send({ method, params }); }
  request(method, params) { const id = ++this.last; this.send({ id, method, params }); return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject })); }
  read() {
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(this.text.toString('latin1'));
      if (!head || this.text.length < head[0].length + Number(head[1])) return;
      const end = head[0].length + Number(head[1]), message = JSON.parse(this.text.subarray(head[0].length, end).toString());
      this.text = this.text.subarray(end);
      if (message.method === 'textDocument/publishDiagnostics') seen.diagnostics.push(...message.params.diagnostics.map((one) => one.code));
      if (message.method && message.id !== undefined) this.send({ id: message.id, result: null });
      const waiting = !message.method && this.waiting.get(message.id);
      if (waiting) { this.waiting.delete(message.id); if (message.error) waiting.reject(new Error(message.error.message)); else waiting.resolve(message.result); }
    }
  }
}
LanguageClient.all = [];

const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node') return { LanguageClient };
  return load(name, ...rest);
};

const soon = (ms) => new Promise((done) => setTimeout(done, ms));

(async () => {
  const { activate, deactivate } = require(extension);
  const context = { subscriptions: [] };
  await activate(context);
  seen.subscriptions = context.subscriptions.length;
  seen.commands = [...commands.keys()];
  const client = LanguageClient.all[0];
  seen.options = client.options;
  const textDocument = { uri: pathToFileURL(file).href };
  client.notify('textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'c', version: 1, text: fs.readFileSync(file, 'utf8') } });
  const lenses = await client.request('textDocument/codeLens', { textDocument });
  seen.lenses = lenses.map((lens) => lens.command.title);
  const { command, arguments: words } = lenses[0].command;
  await client.request('workspace/executeCommand', { command, arguments: words });
  for (let turns = 0; turns < 1200 && seen.diagnostics.length === 0; turns++) await soon(50);
  await commands.get('xcute.copy')('xcute replay it');
  await commands.get('xcute.restart')();
  seen.servers = LanguageClient.all.length;
  await changed({ affectsConfiguration: (name) => name === 'editor' });
  seen.kept = LanguageClient.all.length;
  // A program that is not there.
  settings = { path: '/nowhere/xcute' };
  await changed({ affectsConfiguration: (name) => name === 'xcute' });
  await deactivate();
  seen.defaults = LanguageClient.all.at(-1).options.initializationOptions;
  console.log(JSON.stringify(seen));
})();
