import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { inherited } from '../helpers/environment.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The parsers that exceljs reads with. `saxes` is not among them: our own reader of the banks' XML uses it. */
const READS =
  /\/node_modules\/(unzipper|fast-csv|@fast-csv|jszip|fstream|tmp|dayjs|csv-parser)\/|exceljs\/.*(-reader|\/lib\/csv\/|xlsx\/xlsx)\b/;

/** Files of packages that are loaded once a module is, and the writer of workbooks if it has it, in a process of its own. */
async function loadedWith(module: string): Promise<string[]> {
  const script = `
    const { createRequire } = await import('node:module');
    const { workbookWriter } = await import(${JSON.stringify(resolve(ROOT, module))});
    workbookWriter?.();
    console.log(JSON.stringify(Object.keys(createRequire('${ROOT}/package.json').cache)));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: ROOT, env: inherited(), maxBuffer: 16 * 1024 * 1024 },
  );
  return (JSON.parse(stdout) as string[]).filter((file) => file.includes('/node_modules/'));
}

describe('what others wrote', function () {
  this.timeout(60_000);

  for (const module of ['api/app.ts', 'worker/run.ts', 'services/records/exports/excel.ts'])
    describe(module, () => {
      it('loads at most the part of exceljs that writes workbooks', async () => {
        const loaded = await loadedWith(module);
        assert.ok(loaded.length > 100, 'the loaded files are known');
        const writes = loaded.some((file) => file.endsWith('xlsx/workbook-writer.js'));
        assert.equal(writes, module === 'services/records/exports/excel.ts');
        assert.deepEqual(
          loaded.filter((file) => READS.test(file)),
          [],
        );
      });
    });
});
