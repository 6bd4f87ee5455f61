/** Templates, patterns and code of users are evaluated in few places, each of which is bounded or runs in a thread. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const FOLDERS = ['activities', 'api', 'config', 'db', 'domain', 'services', 'worker', 'workflows'];

/** All files of the source, with their text. */
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') })),
);

/** The files that have it, types aside. */
function having(pattern: RegExp): string[] {
  return FILES.filter(({ text }) => pattern.test(text.replaceAll(/^import type .*$/gm, '')))
    .map(({ name }) => name)
    .sort();
}

/** The files that import another one of the project, by the end of its path. */
function importing(path: string): string[] {
  return having(new RegExp(`^(import|export) (?!type )[^;]*?/?${path.replaceAll('.', '\\.')}'`, 'm'));
}

/** Evaluates what is bounded by its grammar and its length: paths, comparisons, times. Each has one implementation, in `domain/`. */
const BOUNDED: Readonly<Record<string, RegExp>> = {
  'domain/platform/conditions/conditions.ts': /^export (async )?function \*?(allHold|holds)\b/m,
  'domain/platform/schedules/cron.ts': /^export (async )?function \*?parseCron\b/m,
  'domain/integrations/automations/templates.ts': /^export (async )?function \*?fill\b/m,
};

describe('what users write', () => {
  it('is rendered by Liquid behind a thread, or after a look at its cost', () => {
    assert.deepEqual(having(/'liquidjs'/), [
      'services/messages/mail/liquid.ts',
      // Templates of the service's own pages.
      'services/trade/pdf/render.ts',
    ]);
    // The first decides by `isCheap` whether the second does it.
    assert.deepEqual(importing('/liquid.ts'), [
      'services/messages/mail/liquid-thread.ts',
      'services/messages/mail/render.ts',
    ]);
    const render = readFileSync(join(ROOT, 'services/messages/mail/render.ts'), 'utf8');
    assert.match(render, /if \(isCheap\(filling\)\) return fillIn\(filling\);/);
    assert.equal(render.match(/\bfillIn\(/g)?.length, 1, 'only cheap templates are filled in at once');
  });

  it('runs in the threads that can be ended, and in no others', () => {
    assert.deepEqual(having(/'(piscina|node:worker_threads|workerpool)'/), ['services/platform/threads/threads.ts']);
    assert.deepEqual(having(/'(node:)?(vm|repl)'|\beval\(/), []);
    // Compiled from the columns of models.
    assert.deepEqual(having(/\bnew Function\(/), ['db/row-forms.ts']);
  });

  it('is matched as a pattern by RE2 within a budget only', () => {
    assert.deepEqual(having(/'re2js'/), ['services/records/custom-fields/regex.ts']);
    assert.deepEqual(having(/\bRegExp\((?!`|String\.raw`)/), [
      // Both are of the service's own schemas.
      'api/openapi/examples.ts',
      'domain/platform/conditions/shapes.ts',
    ]);
  });

  it('is compared, scheduled and filled in by one bounded evaluator of each kind', () => {
    for (const [file, declared] of Object.entries(BOUNDED)) assert.deepEqual(having(declared), [file]);
    // No other package reads a language of users.
    assert.deepEqual(
      having(/from '(cron-parser|cron|croner|jsonpath[^']*|jmespath|expr-eval|mathjs|handlebars|mustache|ejs)'/),
      [],
    );
  });

  it('is validated by schemas of others in one place, which takes no patterns', () => {
    assert.deepEqual(having(/'ajv(\/[^']*)?'/), [
      'services/platform/validation/foreign.ts',
      'services/platform/validation/validate.ts',
    ]);
  });
});
