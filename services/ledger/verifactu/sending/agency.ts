/** Talks to the tax agency: SOAP over HTTPS, where a company identifies itself by its certificate (AEAT, service description 1.0.3). */
import { type Answer, type Fault, readAnswer, UnreadableAnswer } from '../../../../domain/ledger/verifactu/answers.ts';
import { OutboundError } from '../../../platform/outbound/errors.ts';
import { exchangeIdentified, type Identified } from '../../../platform/outbound/identified.ts';

/** Time limit of an exchange. The agency checks a thousand records in some seconds. */
const EXCHANGE_MS = 90_000;
/** An answer with a thousand errors is shorter. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * Sends a message.
 * @throws OutboundError if there was no complete answer: the message may have arrived; UnreadableAnswer
 */
export async function sendToAgency(
  envelope: Pick<Identified, 'address' | 'identity' | 'caFile'> & { readonly xml: string },
): Promise<Answer | Fault> {
  const { xml, ...to } = envelope;
  const { status, body } = await exchangeIdentified({
    method: 'POST',
    ...to,
    headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' },
    body: xml,
    timeoutMs: EXCHANGE_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  try {
    return readAnswer(body);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    if (status >= 500) throw new OutboundError('unreachable', `The agency answered with status ${status}`, error);
    throw new UnreadableAnswer(`The agency answered with status ${status}, and ${error.message}`, { cause: error });
  }
}
