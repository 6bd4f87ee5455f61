import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** SQL that reads absences, to the end of its statement or template. */
const READ = /\b(?:from|join) absences a\b[^;`]*/g;

describe('queries of absences', () => {
  it('read only those that count', () => {
    const found = readdirSync('services', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const source = readFileSync(`services/${name}`, 'utf8');
        assert.doesNotMatch(source, /\b(?:from|join) absences\b(?! a\b)/, `${name} must call absences \`a\``);
        return [...source.matchAll(READ)].map(([sql]) => ({ name, counts: sql.includes(`\${COUNTS}`) }));
      });
    assert.ok(found.length >= 4);
    assert.deepEqual(
      found.filter(({ counts }) => !counts),
      [],
    );
  });
});
