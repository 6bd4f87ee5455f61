/** Time zones by their IANA names. */

/** Whether a text names a time zone, ignoring case: Europe/Madrid. */
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

/** Returns the IANA spelling of a zone, for programs that accept no other: Europe/Madrid for europe/madrid. */
export function spelledZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}
