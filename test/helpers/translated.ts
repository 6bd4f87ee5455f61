/** Finds what the service tells people in English alone. */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { findTranslation } from '../../domain/locale/messages.ts';

interface Problem {
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly { readonly message: string }[];
}

/** Asserts that a refusal can be told in Spanish, each of its texts. */
export function assertTranslated({ title, detail, code, errors = [] }: Problem): void {
  const told = code === 'validation_failed' && errors.length > 0 ? [] : [detail];
  assertAllTranslated([title, ...told, ...errors.map(({ message }) => message)]);
}

/** Asserts that what tasks say can be told in Spanish. @param body of the answer of `/api/tasks` or one of them */
export function assertTasksTranslated({ data }: { readonly data?: unknown }): void {
  const tasks = [data ?? []].flat() as { readonly message?: string | null; readonly error?: string | null }[];
  assertAllTranslated(
    tasks.flatMap(({ message, error }) => [message ?? '', error ?? '']).filter((text) => text !== ''),
  );
}

function assertAllTranslated(texts: readonly string[]): void {
  for (const text of texts) {
    if (findTranslation(text, 'es') !== undefined) continue;
    if (process.env.UNTRANSLATED !== undefined)
      appendFileSync(process.env.UNTRANSLATED, `${text.slice(0, 600).replaceAll('\n', ' ')}\n`);
    else assert.fail(`No Spanish in domain/locale/messages-es/ for: ${text.slice(0, 600)}`);
  }
}
