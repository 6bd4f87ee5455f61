/** The rules of EN 16931 as published, run over invoices. They are compiled once, into the user's cache. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SaxonJS from 'saxon-js';
import { cacheDirectory } from '../../runtime/files.ts';

const require = createRequire(import.meta.url);
const FOLDER = new URL('../schemas/en16931/', import.meta.url);
const RULES = { ubl: 'EN16931-UBL-validation.xslt', cii: 'EN16931-CII-validation.xslt' } as const;
export type Syntax = keyof typeof RULES;

const compiled = new Map<Syntax, unknown>();

/** Rules that an invoice breaks, as `id: text`. @returns fatal ones and warnings */
export function brokenRules(syntax: Syntax, xml: string): { fatal: string[]; warnings: string[] } {
  const { principalResult } = SaxonJS.transform({
    stylesheetInternal: rules(syntax),
    sourceText: xml,
    destination: 'serialized',
  });
  const failed = [...principalResult.matchAll(/<svrl:failed-assert([^>]*)>\s*<svrl:text>([\s\S]*?)<\/svrl:text>/g)];
  const all = failed.map(([, attributes = '', text = '']) => ({
    flag: /flag="(\w+)"/.exec(attributes)?.[1],
    said: text.trim(),
  }));
  const flagged = (flag: string) => all.filter((one) => one.flag === flag).map(({ said }) => said);
  return { fatal: flagged('fatal'), warnings: flagged('warning') };
}

function rules(syntax: Syntax): unknown {
  const known = compiled.get(syntax);
  if (known !== undefined) return known;
  const made = JSON.parse(readFileSync(compiledFile(syntax), 'utf8'));
  compiled.set(syntax, made);
  return made;
}

function compiledFile(syntax: Syntax): string {
  const source = fileURLToPath(new URL(RULES[syntax], FOLDER));
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const folder = join(cacheDirectory(), 'invoice-rules');
  const file = join(folder, `${syntax}-${hash}.json`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const made = `${file}.${process.pid}`;
  const compiler = require.resolve('xslt3');
  const args = [compiler, `-xsl:${source}`, `-export:${made}`, '-nogo', '-t'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The rules could not be compiled: ${stderr}`);
  renameSync(made, file);
  return file;
}
