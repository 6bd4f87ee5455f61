import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** Cruises a small project of its own with the real rules. */
async function cruise(
  files: Record<string, string>,
  config = '.dependency-cruiser.cjs',
): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const folders = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))];
    const { stdout } = await run(process.execPath, [command, '--config', join(root, config), ...folders], {
      cwd: folder,
    });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('import rules', () => {
  it('catch each forbidden import that is planted', async () => {
    const { code, output } = await cruise({
      'domain/rule.ts':
        `import { read } from '../services/use-case.ts';\nimport { readFileSync } from 'node:fs';\nexport const rule = ` +
        `[read, readFileSync];\n`,
      'services/use-case.ts': `import { route } from '../api/route.ts';\nexport const read = route;\n`,
      'api/route.ts': 'export const route = 1;\n',
      'workflows/documents/other.ts': `import { read } from '../../services/use-case.ts';\nexport const flow = read;\n`,
      'activities/call.ts': `import { get } from 'node:https';\nexport const call = get;\n`,
      'api/call.ts': `import { lookup } from 'node:dns/promises';\nexport const call = lookup;\n`,
    });
    assert.notEqual(code, 0);
    const rules = ['domain-imports', 'services-imports', 'pure-domain', 'workflows-imports'];
    for (const rule of [...rules, 'one-door-for-http', 'one-door-for-http-from-the-api'])
      assert.match(output, new RegExp(`error ${rule}\\b(?!-)`), output);
  });

  it('let the allowed ones pass', async () => {
    const { code, output } = await cruise({
      'domain/rule.ts': 'export const rule = 1;\n',
      'services/use-case.ts': `import { rule } from '../domain/rule.ts';\nexport const useCase = rule;\n`,
      'workflows/documents/other.ts': `import type { Step } from '../../activities/step.ts';\nexport const flow = (step: Step) => step;\n`,
      'activities/step.ts': `import { useCase } from '../services/use-case.ts';\nexport type Step = typeof useCase;\n`,
    });
    assert.equal(code, 0, output);
  });

  const rooms = '.dependency-cruiser.rooms.cjs';

  it('catch a circle between two rooms of a wing, types included', async () => {
    const documents = `import type { Move } from '../stock/move.ts';\nexport type Document = { move: Move };\n`;
    const circle = {
      'services/trade/documents/document.ts': documents,
      'services/trade/stock/move.ts': 'export type Move = object;\n',
      'services/trade/stock/source.ts': `import type { Document } from '../documents/document.ts';\nexport type Source = Document;\n`,
    };
    const { code, output } = await cruise(circle, rooms);
    assert.notEqual(code, 0);
    assert.match(output, /error no-circles-of-rooms/);
    const { 'services/trade/stock/source.ts': _, ...line } = circle;
    assert.equal((await cruise(line, rooms)).code, 0);
  });

  it('catch a wing that imports a wing it may not, and a folder that is no wing', async () => {
    const borrowed = (name: string) =>
      `import type { Document } from '../../trade/documents/document.ts';\nexport type ${name} = Document;\n`;
    const { code, output } = await cruise(
      {
        'services/ledger/accounting/entry.ts': borrowed('Entry'),
        'services/trade/documents/document.ts': 'export type Document = object;\n',
        'services/misc/things/thing.ts': borrowed('Thing'),
      },
      rooms,
    );
    assert.notEqual(code, 0);
    assert.match(output, /error services-ledger/);
    assert.match(output, /error declared-wings/);
  });

  it('catch a wing of the domain that imports one it may not', async () => {
    const { code, output } = await cruise(
      {
        'domain/trade/documents/total.ts': `import type { Tax } from '../../ledger/accounting/tax.ts';\nexport type Total = Tax;\n`,
        'domain/ledger/accounting/tax.ts': 'export type Tax = string;\n',
      },
      rooms,
    );
    assert.notEqual(code, 0);
    assert.match(output, /error domain-trade/);
  });
});
