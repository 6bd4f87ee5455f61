/** Time zones by their IANA names. */

/** Whether a text names one, in any case: Europe/Madrid. */
export function isTimeZone(text: string): boolean {
  // Some runtimes accept offsets such as +02:00; those are not zones.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** A zone as IANA spells it, for programs that know no other spelling: Europe/Madrid for europe/madrid. */
export function spelledZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
