/** Names of files that people send. */

/** Control characters, and those that turn the direction of writing: they make `gpj.exe` look like `exe.jpg`. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name without folders and without what cannot be seen; empty when nothing is left. */
export function fileName(sent: string): string {
  const last = sent.split(/[\\/]/).at(-1) ?? '';
  return last.replace(UNSEEN, '').trim().replace(/^\.+$/, '');
}
