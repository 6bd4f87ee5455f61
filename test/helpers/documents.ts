/** Documents of a test company. */
import type { DocType } from '../../domain/trade/documents/types.ts';
import type { DocumentInput } from '../../services/trade/documents/schemas.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import type { Company } from './company.ts';

type Input = Partial<DocumentInput> & Pick<DocumentInput, 'lines'>;

/** Creates documents, with the company's own customer or supplier unless told otherwise. @template Doc what a suite reads of them */
export function creating<Doc>(company: Company): (docType: DocType, input: Input) => Promise<Doc> {
  return (docType, input) =>
    company.run((trx) =>
      createDocument(trx, company.ctx, docType, {
        partnerId: docType.startsWith('P') ? company.supplierId : company.customerId,
        ...input,
      }),
    ) as unknown as Promise<Doc>;
}
