/** A start that cannot continue, explained in one line that says what to do: printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the `code` of a system error (`EACCES`, …), if it has one. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
