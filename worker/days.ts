/** An option of commands: how many days to look back. */
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError unless it is a whole number from 1 to 365 */
export function days(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 365) return number;
  throw new InvalidArgumentError('must be a whole number of days from 1 to 365');
}
