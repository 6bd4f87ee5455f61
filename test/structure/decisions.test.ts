import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { indexPage, readNote } from '../../tools/decision-index.ts';
import { filesUnder } from '../helpers/files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/decisions');

describe('decision notes', () => {
  const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');
  const notes = () => files.sort().map((file) => readNote(file, readFileSync(join(FOLDER, file), 'utf8')));
  const numbers = () => new Set(notes().map(({ number }) => number));

  it('have numbers of their own, and name a wing that exists', () => {
    assert.ok(files.length > 100);
    assert.equal(numbers().size, files.length, 'two notes share a number');
    for (const { file, wing } of notes())
      assert.ok(existsSync(join(ROOT, 'services', wing)) || existsSync(join(ROOT, wing)), `${file}: no wing ${wing}`);
  });

  it('are amended and superseded by later notes that exist', () => {
    for (const { file, number, status } of notes()) {
      const later = /\d{4}$/.exec(status)?.[0];
      if (later !== undefined) assert.ok(numbers().has(later) && later > number, `${file}: ${status}`);
    }
  });

  it('are all listed in a current index', () => {
    const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
    assert.ok(index === indexPage(notes()), 'docs/decisions/README.md is not current: run `npm run decisions`');
  });

  it('exist wherever code or documentation cites one', () => {
    const existing = numbers();
    const cited = filesUnder(ROOT, /\.(ts|md|mjs|cjs|yml)$/).flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return [...text.matchAll(/\bdecisions? ((?:\d{4}(?:, | and | to )?)+)/gi)].flatMap(([, list = '']) =>
        (list.match(/\d{4}/g) ?? []).map((number) => ({ file, number })),
      );
    });
    assert.ok(cited.length > 100);
    assert.deepEqual(
      cited.filter(({ number }) => !existing.has(number)),
      [],
    );
  });
});
