/** Text of the invitation mail. */
import type { Language } from '../../locale/formats.ts';
import { plainName } from '../../messages/mail/names.ts';

export interface InvitationDetails {
  readonly companyName: string;
  /** null for an API key. */
  readonly invitedBy: string | null;
  /** Page to accept the invitation; ends with the token. */
  readonly link: string;
  readonly token: string;
  /** The last day, as the reader writes it. */
  readonly until: string;
  readonly language: Language;
}

/** Writes subject and text, in the invitee's language. */
export function invitationText(details: InvitationDetails): { readonly subject: string; readonly text: string } {
  const company = plainName(details.companyName);
  const by = details.invitedBy === null ? null : plainName(details.invitedBy);
  const { link, token, until } = details;
  if (details.language === 'es') {
    return {
      subject: `Invitación a «${company}»`,
      text: [
        by === null ? `«${company}» le invita a trabajar con ella.` : `«${by}» le invita a trabajar en «${company}».`,
        `Para aceptar, abra antes del ${until} esta dirección:`,
        link,
        'Su código, si se lo piden:',
        token,
        'Si no espera esta invitación, no haga nada: sin usted no cambia nada. No reenvíe este mensaje a nadie.',
      ].join('\n\n'),
    };
  }
  return {
    subject: `Invitation to “${company}”`,
    text: [
      by === null ? `“${company}” invites you to join.` : `“${by}” invites you to join “${company}”.`,
      `To accept, open this address before ${until}:`,
      link,
      'Your code, if you are asked for one:',
      token,
      'If you did not expect this invitation, ignore it: nothing happens without you. Do not forward this mail.',
    ].join('\n\n'),
  };
}
