/** Data for the text of a password reset mail. */
export interface ResetDetails {
  /** Page to choose the new password; ends with the token. */
  readonly link: string;
  readonly token: string;
  readonly minutes: number;
  readonly language: 'en' | 'es';
}

/** Writes subject and text of a password reset mail, in the reader's language. */
export function resetText({ link, token, minutes, language }: ResetDetails): {
  readonly subject: string;
  readonly text: string;
} {
  const [subject, ...lines] = language === 'es' ? spanish(minutes) : english(minutes);
  const [first = '', code = '', last = ''] = lines;
  return { subject: String(subject), text: [first, link, code, token, last].join('\n\n') };
}

function english(minutes: number): readonly string[] {
  return [
    'Choose a new password',
    `Somebody, probably you, has requested a new password. To choose it, open this address within ${minutes} minutes:`,
    'Your code, if you are asked for one:',
    'If it was not you, ignore this mail: your password stays the same. Do not forward this mail.',
  ];
}

function spanish(minutes: number): readonly string[] {
  return [
    'Elija una contraseña nueva',
    `Alguien, probablemente usted, ha pedido una contraseña nueva. Para elegirla, abra antes de ${minutes} minutos esta dirección:`,
    'Su código, si se lo piden:',
    'Si no ha sido usted, no haga nada: su contraseña sigue como está. No reenvíe este mensaje a nadie.',
  ];
}
