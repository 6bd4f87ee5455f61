import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const MAX = 40;
interface Case {
  readonly place: string;
  readonly lines: number;
}

/** The calls of `it` in a file, nested ones too. */
function findCases(file: string, text: string): Case[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const lineNumber = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const within = (node: ts.Node): Case[] => {
    const found: Case[] = [];
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'it') {
      const first = lineNumber(node.getStart(source));
      found.push({ place: `${file}:${first + 1}`, lines: lineNumber(node.end) - first + 1 });
    }
    ts.forEachChild(node, (child) => void found.push(...within(child)));
    return found;
  };
  return within(source);
}

describe('cases of tests', () => {
  it(`have at most ${MAX} lines, and so show one thing each`, () => {
    const files = execFileSync('git', ['ls-files', 'test/**/*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const cases = files.flatMap((file) => findCases(file, readFileSync(join(ROOT, file), 'utf8')));
    assert.ok(cases.length > 1500, `${cases.length} cases`);
    assert.deepEqual(
      cases.filter(({ lines }) => lines > MAX),
      [],
    );
  });

  it('are counted from their first line to their last, wherever they stand', () => {
    const text = "describe('a', () => {\n  it('b', () => {\n    c();\n  });\n  for (const d of e) it(d, f);\n});\n";
    assert.deepEqual(findCases('a.ts', text), [
      { place: 'a.ts:2', lines: 3 },
      { place: 'a.ts:5', lines: 1 },
    ]);
  });
});
