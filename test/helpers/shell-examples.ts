/**
 * Runs the shell examples of a page, as a reader would paste them: all of its `sh` blocks in order, in one bash.
 *
 * A block says itself what is to come of it. A comment `# → text` promises a line of output, `# 422` that a request is refused
 * with that status; all other requests must be answered with 2xx, and all commands succeed.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The address that pages name. */
const DOCUMENTED = 'http://127.0.0.1:3000';

/**
 * Notes how each request was answered, and ends what it prints with a newline. `npm run` runs in the project, the demo for fewer
 * days; installing, starting and testing is what whoever runs this has done.
 */
const PRELUDE = `
set -euo pipefail
curl() { command curl -w '\\n%{stderr}answered %{http_code} to %{method} %{url_effective}\\n' "$@"; }
npm() {
  case "$1 \${2-}" in
    'ci ' | 'start ' | 'test ') ;;
    'run demo') command npm --prefix '${ROOT}' --silent "$@" --length 3 ;;
    'run '*) command npm --prefix '${ROOT}' --silent "$@" ;;
    *) return 1 ;;
  esac
}
`;

interface Block {
  /** Line of the block in the page. */
  readonly line: number;
  readonly code: string;
}

/**
 * Runs all examples of a page against a service.
 * @param page path from the root
 * @param service where it is; `cwd`: where the examples leave their files; `env`: what they see of the environment
 * @throws AssertionError naming the block that did not do what it says, with all that it printed
 */
export async function runExamples(
  page: string,
  service: { readonly url: string; readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const blocks = markdownBlocks(readFileSync(resolve(ROOT, page), 'utf8'));
  assert.ok(blocks.length > 0, `${page} has examples`);
  const script = blocks.map(({ code }) => `${code.replaceAll(DOCUMENTED, service.url)}\n${mark}\n`).join('');
  const { stdout, stderr, code } = await bash(PRELUDE + script, service);
  const printed = stdout.split(MARK);
  const noted = stderr.split(MARK);
  for (const [index, block] of blocks.entries()) {
    const out = printed[index] ?? '';
    const log = noted[index] ?? '';
    const told = `the example at ${page}:${block.line}\n${block.code}\nprinted\n${out.slice(-3000)}\n${log.slice(-3000)}`;
    // The last one that printed anything is the one that failed.
    assert.ok(code === 0 || index < printed.length - 1, `Exit code ${code} of ${told}`);
    assertKept(block, out, log, told);
  }
}

/**
 * Pastes the examples of a page that call the service into a shell, as in its terminal: whatever fails, the next line comes.
 * @returns what has been printed
 */
export async function pasteExamples(
  page: string,
  shell: readonly [string, ...string[]],
  service: { readonly url: string; readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const blocks = markdownBlocks(readFileSync(resolve(ROOT, page), 'utf8')).filter(({ code }) => !/^npm /m.test(code));
  assert.ok(blocks.length > 0, `${page} has examples`);
  const pasted = blocks.map(({ code }) => code.replaceAll(DOCUMENTED, service.url)).join('');
  const env = { ...service.env, PS1: '', PS2: '' };
  return await typed(shell, pasted, { cwd: service.cwd, env });
}

const MARK = '=== end of an example ===\n';
const mark = `echo '${MARK.trim()}'; echo '${MARK.trim()}' >&2`;

function markdownBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => ({
    line: markdown.slice(0, match.index).split('\n').length + 1,
    code: match[1] ?? '',
  }));
}

/** Asserts that the block did what it promises. */
function assertKept({ code }: Block, out: string, log: string, told: string): void {
  const refusals = [...log.matchAll(/^answered (\d+) /gm)]
    .map(([, status]) => status)
    .filter((s) => !/^2/.test(s ?? ''));
  const announced = [...code.matchAll(/# (\d{3})\b/g)].map(([, status]) => status);
  assert.deepEqual(refusals, announced, `Refusals of ${told}`);
  let lines = out.split('\n');
  for (const [, promise = ''] of code.matchAll(/#.*→ (.*)$/gm)) {
    const found = lines.indexOf(promise.trim());
    assert.ok(found >= 0, `"${promise}" was not printed by ${told}`);
    lines = lines.slice(found + 1);
  }
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

function bash(script: string, place: Place): Promise<{ stdout: string; stderr: string; code: number }> {
  return typed(['bash', '-c', script], '', place);
}

async function typed(
  [shell, ...options]: readonly [string, ...string[]],
  input: string,
  { cwd, env }: Place,
): Promise<{ stdout: string; stderr: string; code: number }> {
  const child = spawn(shell, options, { cwd, env, stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  // A shell that has ended reads nothing more; what it has printed says why.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      read[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { ...read, code: code as number };
}
