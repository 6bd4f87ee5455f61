import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Folders that have no counterpart in `services/`, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  'api/middleware': 'wraps all routes',
  'api/pipeline': 'the steps that every route runs through',
  'api/lists': 'declares lists of any resource',
  'api/openapi': 'describes all routes',
  'api/docs': 'pages and scripts for browsers',
  'api/previews': 'any route, run without a trace',
  'api/messages/sockets': 'the transport of the notification feed',
  'api/operation/health': 'probes and metrics of the process',
  'api/trade/transactions': 'several calls of other routes in one transaction',
  'domain/locale': 'languages and formats, for texts of all wings',
  'domain/platform/conditions': 'shared by filters of webhooks and rules',
  'domain/ledger/accounting/charts': 'data: one chart of accounts in each file',
  'domain/reports/accounting/forms': 'data: the form of the annual accounts of each country',
  'domain/records/tables': 'cells of files, for imports and exports alike',
  'domain/reports/payments/cash-flow': 'one report in several files',
  'workflows/platform/priorities': 'a contract that all workflows share',
  'workflows/platform/search-attributes': 'a contract that all workflows share',
};

/** Paths of all folders below one, relative to the root. */
function foldersIn(path: string): string[] {
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [`${path}/${name}`, ...foldersIn(`${path}/${name}`)]);
}

/** Wings and rooms: `trade`, `trade/documents` and the folders within. */
function rooms(): Set<string> {
  return new Set(foldersIn('services').map((path) => path.slice('services/'.length)));
}

describe('names of folders', () => {
  it('has at most twelve wings in services/', () => {
    assert.ok(readdirSync(join(ROOT, 'services')).length <= 12);
  });

  it('gives folders of api, domain, workflows and activities the names of wings and rooms', () => {
    const known = rooms();
    const strangers = ['api', 'domain', 'workflows', 'activities', 'db/models']
      .flatMap((layer) => foldersIn(layer).map((path) => ({ path, room: path.slice(layer.length + 1) })))
      .filter(({ path, room }) => !known.has(room) && !Object.keys(OTHERS).some((other) => isIn(other, path)))
      .map(({ path }) => path);
    assert.deepEqual(strangers, []);
  });

  it('lists no exception that does not exist or is a room', () => {
    const known = rooms();
    const needless = Object.keys(OTHERS).filter((path) => {
      const [layer = '', ...room] = path.split('/');
      return !foldersIn(layer).includes(path) || known.has(room.join('/'));
    });
    assert.deepEqual(needless, []);
  });
});

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
