/** Examples of an operation: with curl, and with the clients for TypeScript and Python. */
import type { Json } from '../../openapi/components.ts';
import { isOperation, type Operation, type Resource } from '../../openapi/methods.ts';
import { pythonName, snakeCase } from '../../openapi/python-names.ts';

/** The languages of examples, with their names. */
export const SAMPLE_LANGUAGES = { sh: 'curl', ts: 'TypeScript', python: 'Python' } as const;
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES;
export type Samples = Readonly<Record<SampleLanguage, string>>;

/** An operation with the names that lead to its method. */
export interface Called {
  readonly operation: Operation;
  readonly names: readonly string[];
}

/** All operations by their id. */
export function calledOperations(resource: Resource, names: readonly string[] = []): Map<string, Called> {
  const found = new Map<string, Called>();
  for (const [name, entry] of Object.entries(resource)) {
    if (isOperation(entry)) found.set(entry.id, { operation: entry, names: [...names, name] });
    else for (const [id, called] of calledOperations(entry, [...names, name])) found.set(id, called);
  }
  return found;
}

/** Examples of a call. @param body its JSON; undefined without one @param isPublic whether it needs no token */
export function samplesFor({ operation, names }: Called, body: unknown, isPublic: boolean): Samples {
  return {
    sh: curl(operation, body, isPublic),
    ts: typescript(operation, names, body),
    python: python(operation, names, body),
  };
}

/** A command for any POSIX shell. */
export function curl({ method, path, kind }: Operation, body: unknown, isPublic: boolean): string {
  const address = `"$API${path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `$${snakeCase(id).toUpperCase()}`)}"`;
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`;
  const lines = [`curl -sS${verb} ${address}`];
  if (!isPublic) lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (kind === 'upload') lines.push('-F file=@file');
  else if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    lines.push(`-H 'Content-Type: application/json'`, `-d '${json}'`);
  }
  if (kind === 'file') lines.push('-OJ');
  return lines.join(' \\\n  ');
}

function typescript({ ids, kind }: Operation, names: readonly string[], body: unknown): string {
  const given = [
    ...ids,
    ...(kind === 'upload' ? ['file'] : []),
    ...(kind !== 'upload' && body !== undefined ? [literal(body, '')] : []),
  ];
  const call = `client.${names.join('.')}(${given.join(', ')})`;
  if (kind === 'list') return `for await (const row of ${call}) {\n  console.log(row);\n}`;
  if (kind === 'file') return `const file = await ${call};\nconst bytes = await file.bytes();`;
  return `const answer = await ${call};`;
}

/** A value as TypeScript writes it. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => literal(one, inner))]
    : ['{', '}', Object.entries(value).map(([name, one]) => `${memberName(name)}: ${literal(one, inner)}`)];
  if (parts.length === 0) return `${open}${close}`;
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && indent.length + line.length <= 70) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function python({ ids, kind }: Operation, names: readonly string[], body: unknown): string {
  const given = [
    ...ids.map((id) => pythonName(snakeCase(id))),
    ...(kind === 'upload' ? ['file'] : []),
    ...(kind !== 'upload' && body !== undefined ? [pythonLiteral(body, '')] : []),
  ];
  const call = `client.${names.map((name) => pythonName(snakeCase(name))).join('.')}(${given.join(', ')})`;
  if (kind === 'list') return `for row in ${call}:\n    print(row)`;
  if (kind === 'file') return `file = ${call}\ncontent = file.read()`;
  return `answer = ${call}`;
}

const PYTHON_WORDS = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

function pythonLiteral(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return PYTHON_WORDS.get(value) ?? JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => pythonLiteral(one, inner))]
    : [
        '{',
        '}',
        Object.entries(value as Json).map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one, inner)}`),
      ];
  const line = `${open}${parts.join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= 70) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
