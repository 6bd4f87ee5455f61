import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { filesUnder } from '../helpers/files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** A path in backticks that begins in one of the project's folders; without placeholders. */
const PATH =
  /`((?:activities|api|bench|config|db|demo|deploy|docs|domain|runtime|services|test|tools|worker|workflows|\.ci|\.vscode)\/[\w./-]*)`/g;
/** In the architecture page, a file without its folder lies in the folder named before it on the same line. */
const NAME = /`([\w.-]+\.ts|[\w-]+\/[\w./-]*)`/g;
/** A link to a file of the project, to a heading of it, or to one of the same page. */
const LINK = /\]\((?<file>\w[\w./-]*|\.[\w./-]+)?(?:#(?<anchor>[\w-]+))?\)/g;

const pages = filesUnder(ROOT, /^(docs\/.*|[^/]*)\.md$/);

describe('documentation', () => {
  it('names only files and folders that exist', () => {
    const named = pages.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(PATH)].map(([, path = '']) => ({ page, path })),
    );
    assert.ok(named.length > 100, `${named.length} paths`);
    assert.deepEqual(
      named.filter(({ path }) => !existsSync(join(ROOT, path))),
      [],
    );
  });

  it('names files without their folder only after their folder, in the architecture page', () => {
    const lines = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split('\n');
    const missing = lines.flatMap((line) => {
      let folder = '.';
      return [...line.matchAll(NAME)].flatMap(([, name = '']) => {
        const path = name.includes('/') ? name : join(folder, name);
        folder = path.endsWith('/') ? path : dirname(path);
        return existsSync(join(ROOT, path)) ? [] : [path];
      });
    });
    assert.deepEqual(missing, []);
  });

  it('links only to files and headings that exist', () => {
    const links = pages.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)].map(({ groups: { file, anchor } = {} }) => {
        return { page, target: file === undefined ? page : join(dirname(page), file), anchor };
      }),
    );
    assert.ok(links.length > 100, `${links.length} links`);
    const broken = links.filter(({ target, anchor }) => {
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchors(target).includes(anchor);
    });
    assert.deepEqual(broken, []);
  });
});

/** The anchors that viewers of Markdown give to a page's headings. */
function anchors(page: string): string[] {
  const headings = readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
