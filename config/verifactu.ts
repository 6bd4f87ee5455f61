/** The program as its maker declares it to the tax agency, and the agency's addresses (Veri*factu). */
import { type Problems, text, url } from './parse.ts';

export interface VerifactuConfig {
  /** Who makes and answers for the program (Orden HAC/1177/2024, art. 15); undefined = records are made, but cannot be sent. */
  readonly maker: { readonly name: string; readonly taxId: string } | undefined;
  /** Further parts of its declaración responsable: the maker's address, and the day and place of signing. */
  readonly declared: { readonly address: string; readonly on: string; readonly at: string } | undefined;
  /** At most 30 characters. */
  readonly systemName: string;
  /** The maker's code of the program: two capitals or digits. */
  readonly systemCode: string;
  /** Where messages go, by environment and kind of certificate. */
  readonly addresses: Readonly<Record<'test' | 'production', Readonly<Record<'personal' | 'seal', string>>>>;
  /** A file with further authorities that the agency's own certificate may have. */
  readonly caFile: string | undefined;
}

/** The agency's path (AEAT, SistemaFacturacion.wsdl). */
const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
const HOSTS = {
  test: { personal: 'prewww1.aeat.es', seal: 'prewww10.aeat.es' },
  production: { personal: 'www1.agenciatributaria.gob.es', seal: 'www10.agenciatributaria.gob.es' },
} as const;

/** Loads the `VERIFACTU_…` variables. */
export function loadVerifactu(env: Record<string, string | undefined>, problems: Problems): VerifactuConfig {
  const [name, taxId] = [text(env, 'VERIFACTU_MAKER_NAME'), text(env, 'VERIFACTU_MAKER_TAX_ID')];
  if ((name === undefined) !== (taxId === undefined))
    problems.push('VERIFACTU_MAKER_NAME and VERIFACTU_MAKER_TAX_ID belong together: give both, or none');
  const systemName = text(env, 'VERIFACTU_SYSTEM_NAME') ?? 'Business management service';
  if (systemName.length > 30) problems.push(`VERIFACTU_SYSTEM_NAME is "${systemName}": give at most 30 characters`);
  const systemCode = text(env, 'VERIFACTU_SYSTEM_CODE') ?? 'BM';
  if (!/^[A-Z0-9]{2}$/.test(systemCode))
    problems.push(`VERIFACTU_SYSTEM_CODE is "${systemCode}": give two capitals or digits`);
  const addresses = (environment: 'test' | 'production') => {
    const given = url(env, `VERIFACTU_${environment.toUpperCase()}_URL`, ['https:'], problems);
    const { personal, seal } = HOSTS[environment];
    return Object.freeze({
      personal: given ?? `https://${personal}${PATH}`,
      seal: given ?? `https://${seal}${PATH}`,
    });
  };
  return Object.freeze({
    maker: name === undefined || taxId === undefined ? undefined : Object.freeze({ name, taxId }),
    declared: declared(env, problems),
    systemName,
    systemCode,
    addresses: Object.freeze({ test: addresses('test'), production: addresses('production') }),
    caFile: text(env, 'VERIFACTU_CA_FILE'),
  });
}

function declared(env: Record<string, string | undefined>, problems: Problems): VerifactuConfig['declared'] {
  const names = ['VERIFACTU_MAKER_ADDRESS', 'VERIFACTU_DECLARED_ON', 'VERIFACTU_DECLARED_AT'] as const;
  const [address, on, at] = names.map((name) => text(env, name));
  if (address === undefined && on === undefined && at === undefined) return undefined;
  if (address === undefined || on === undefined || at === undefined) {
    problems.push(`${names.join(', ')} belong together: give all of them, or none`);
    return undefined;
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(on)) problems.push(`VERIFACTU_DECLARED_ON is "${on}": give a day such as 2026-11-28`);
  return Object.freeze({ address, on, at });
}
