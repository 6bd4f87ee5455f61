/** Names of uploaded files. */

/** Control characters, and those that reverse the writing direction, which make `gpj.exe` look like `exe.jpg`. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes folders and invisible characters from a name; empty if nothing is left. */
export function fileName(sent: string): string {
  const last = sent.split(/[\\/]/).at(-1) ?? '';
  return last.replace(UNSEEN, '').trim().replace(/^\.+$/, '');
}
