// Starts `xcute lsp` and connects VS Code with it. All that is shown comes from the server.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const FILES = '**/*.{c,cc,cpp,cxx,h,hpp,hxx,java,erl,pl,prolog,art,uml}';

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration('xcute');
  const server = { command: settings.get('path', 'xcute'), args: ['lsp'] };
  client = new LanguageClient('xcute', 'xcute', server, {
    documentSelector: [{ scheme: 'file', pattern: FILES }],
    initializationOptions: { time: settings.get('time', '30s'), copy: true },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`xcute: cannot run ${server.command} lsp (set xcute.path): ${error.message}`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function copy(text) {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`copied: ${text}`, 5000);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('xcute.copy', copy),
    vscode.commands.registerCommand('xcute.restart', restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('xcute')) {
        return restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
