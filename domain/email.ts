/** Addresses of e-mails. */

/** What an address may be as an envelope takes it (RFC 5321, section 4.5.3.1); without comments and quoted parts. */
const LONGEST = 254;
const ADDRESS = /^[^\s@,;:<>()[\]"\\]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** Whether the text is one e-mail address, and nothing besides. */
export function isEmail(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text);
}
