/** Time zones by their IANA names. */

/** Whether a text names one: Europe/Madrid. */
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
