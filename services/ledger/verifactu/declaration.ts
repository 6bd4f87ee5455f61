/** The maker's statement about this version of the program, as a page (Orden HAC/1177/2024, art. 15). */
import type { VerifactuConfig } from '../../../config/verifactu.ts';
import { SERVICE_VERSION } from '../../../config/version.ts';
import { notFound } from '../../../domain/errors.ts';
import { DECLARATION_TITLE, declaration } from '../../../domain/ledger/verifactu/declaration.ts';
import { node, serialize } from '../../../domain/xml.ts';
import { program } from './sending/program.ts';

const STYLE =
  'body { font: 11pt/1.5 serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem } h1 { font-size: 15pt } dt { font-weight: bold } ' +
  'dd { margin: 0 0 .8rem } @media print { body { margin: 0 } }';

/**
 * Builds the page.
 * @throws ServiceError not_found if the operators have not stated who makes the program, and when and where they declared it
 */
export function declarationPage(config: VerifactuConfig): string {
  const { maker, declared } = config;
  if (maker === undefined || declared === undefined) throw notFound('The declaration (VERIFACTU_DECLARED_ON)');
  const statements = declaration({
    program: program(config, { version: SERVICE_VERSION, installation: '' }),
    makerAddress: declared.address,
    declaredOn: declared.on,
    declaredAt: declared.at,
  });
  const page = node(
    'html',
    [
      node('head', [node('title', DECLARATION_TITLE), node('style', STYLE)]),
      node('body', [
        node('h1', DECLARATION_TITLE),
        node(
          'dl',
          statements.flatMap(({ letter, title, text }) => [node('dt', `${letter} ${title}`), node('dd', text)]),
        ),
      ]),
    ],
    { lang: 'es' },
  );
  return serialize(page).replace(/^.*\n/, '<!doctype html>\n');
}
