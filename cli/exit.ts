/** Exit codes, for scripts. */
import { AuthenticationError, ConnectionError, ServiceError, TaskError } from '../clients/typescript/src/errors.ts';

export const EXIT = {
  done: 0,
  /** Something failed that no other code stands for. */
  failed: 1,
  /** The command, an option or an argument is wrong. */
  usage: 2,
  /** The service has refused it, and changed nothing. */
  refused: 3,
  /** The service does not answer, or a part of it is down. */
  unreachable: 4,
  /** Nobody is logged in, or the session has ended. */
  notLoggedIn: 5,
} as const;

/** A wrong command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The exit code of a failure. */
export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof AuthenticationError) return EXIT.notLoggedIn;
  if (error instanceof ConnectionError) return EXIT.unreachable;
  if (error instanceof ServiceError) return error.status >= 500 ? EXIT.unreachable : EXIT.refused;
  return EXIT.failed;
}

/** A failure in words. */
export function inWords(error: unknown): string {
  if (error instanceof ServiceError) {
    const { detail, errors = [], request_id: id } = error.problem;
    const faults = errors.map(({ pointer, line, column, message }) => {
      const place = pointer ?? [line === undefined ? '' : `line ${line}`, column ?? ''].filter(Boolean).join(', ');
      return `  ${place}: ${message}`;
    });
    return [`${error.code}: ${detail}`, ...faults, `  request ${id}`].join('\n');
  }
  if (error instanceof TaskError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
