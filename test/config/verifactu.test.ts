import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '../../config/index.ts';

describe('the program for the tax agency', () => {
  const refused = (env: Record<string, string>, ...names: string[]) =>
    assert.throws(
      () => loadConfig(env),
      (error) => error instanceof ConfigError && names.every((name) => error.message.includes(name)),
      names.join(),
    );

  it('has no maker by default, and sends to the addresses of the agency', () => {
    const { maker, declared, addresses, systemCode } = loadConfig({}).verifactu;
    assert.deepEqual([maker, declared, systemCode], [undefined, undefined, 'BM']);
    assert.equal(addresses.test.personal, 'https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP');
    assert.equal(
      addresses.production.seal,
      'https://www10.agenciatributaria.gob.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP',
    );
  });

  it('sends elsewhere when told so', () => {
    const { addresses } = loadConfig({ VERIFACTU_TEST_URL: 'https://127.0.0.1:8443/x' }).verifactu;
    assert.deepEqual(addresses.test, { personal: 'https://127.0.0.1:8443/x', seal: 'https://127.0.0.1:8443/x' });
    refused({ VERIFACTU_PRODUCTION_URL: 'http://127.0.0.1:8443/' }, 'VERIFACTU_PRODUCTION_URL');
  });

  it('is declared as a whole, or not at all', () => {
    refused({ VERIFACTU_MAKER_NAME: 'X' }, 'VERIFACTU_MAKER_NAME', 'VERIFACTU_MAKER_TAX_ID');
    refused({ VERIFACTU_DECLARED_ON: '2026-11-28' }, 'VERIFACTU_MAKER_ADDRESS', 'VERIFACTU_DECLARED_AT');
    const all = {
      VERIFACTU_MAKER_ADDRESS: 'Calle',
      VERIFACTU_DECLARED_ON: '28/11/2026',
      VERIFACTU_DECLARED_AT: 'Madrid',
    };
    refused(all, 'VERIFACTU_DECLARED_ON');
    refused({ VERIFACTU_SYSTEM_CODE: 'abc' }, 'VERIFACTU_SYSTEM_CODE');
    refused({ VERIFACTU_SYSTEM_NAME: 'x'.repeat(31) }, 'VERIFACTU_SYSTEM_NAME');
  });
});
