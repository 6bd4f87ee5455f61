/** A start that cannot succeed; the message names the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
