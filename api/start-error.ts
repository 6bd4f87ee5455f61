/** A startup failure; the message names the remedy. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
