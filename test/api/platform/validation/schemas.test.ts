import { compileChecks } from '../../../../api/pipeline/pipeline.ts';
import { ROUTES } from '../../../../api/routes.ts';
import { ServiceError } from '../../../../domain/errors.ts';

describe('the schemas of requests', () => {
  it('compile, each of them: a service compiles one only when it is asked for', () => {
    for (const route of ROUTES) {
      const { params, query, body } = compileChecks(route);
      for (const check of [() => params({}), () => query(''), () => body({})]) {
        try {
          check();
        } catch (error) {
          if (!(error instanceof ServiceError)) throw new Error(`${route.method} ${route.path}`, { cause: error });
        }
      }
    }
  }).timeout(60_000);
});
