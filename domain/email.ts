/** E-mail addresses. */

/** The longest address of an SMTP envelope (RFC 5321, section 4.5.3.1). */
const MAX_LENGTH = 254;
const ADDRESS = /^[^\s@,;:<>()[\]"\\]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** Whether the text is exactly one e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}
