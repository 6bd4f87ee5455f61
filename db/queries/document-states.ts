/** SQL of the states of documents: constants, so that plans are kept and partial indexes serve. */
import { DOCUMENT_STATUS } from '../../domain/trade/documents/types.ts';

type State = keyof typeof DOCUMENT_STATUS;

export const STATE = Object.fromEntries(
  Object.entries(DOCUMENT_STATUS).map(([state, letter]) => [state, `'${letter}'`]),
) as Readonly<Record<State, string>>;
