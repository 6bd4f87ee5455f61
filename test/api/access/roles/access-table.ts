/**
 * Access to every route, with a letter for each role allowed. The access of a new route is decided here, by hand, and not taken from its
 * declaration.
 *
 *     O owner   A admin   C accountant   S sales   P purchasing   W warehouse   H hr   V viewer
 *
 * `public` takes no token; `plugin` takes only that of the plugin in the path. If the answer depends on the record in the path, there is a
 * row for each case.
 */
export const ACCESS_TABLE = `
/api/absences                                  GET OA----HV  POST OA----H-
/api/absences/:id                              GET OA----HV  PATCH OA----H-  DELETE OA----H-
/api/absences/:id/approve                      POST OA----H-
/api/absences/:id/refuse                       POST OA----H-
/api/accounts                                  GET OACSPW-V  POST OAC-----
/api/accounts/:id                              GET OACSPW-V  PATCH OAC-----  DELETE OAC-----
/api/accounts/charts                           GET OACSPW-V
/api/accounts/import-chart                     POST OAC-----
/api/api-keys                                  GET OA------  POST OA------
/api/api-keys/:id                              GET OA------  PATCH OA------  DELETE OA------
/api/api-keys/:id/take-over                    POST OA------
/api/asset-groups                              GET OAC----V  POST OAC-----
/api/asset-groups/:id                          GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/asset-groups/generate                     POST OAC-----
/api/asset-runs                                GET OAC----V  POST OAC-----
/api/asset-runs/:id                            GET OAC----V
/api/asset-runs/:id/undo                       POST OAC-----
/api/assets                                    GET OAC----V  POST OAC-----
/api/assets/:id                                GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/assets/:id/dispose                        POST OAC-----
/api/assets/:id/impair                         POST OAC-----
/api/assets/:id/improve                        POST OAC-----
/api/assets/:id/movements                      GET OAC----V
/api/assets/:id/reverse-impairment             POST OAC-----
/api/assets/:id/undo                           POST OAC-----
/api/audit-logs                                GET OAC-----
/api/audit-logs/:id                            GET OAC-----
/api/automations                               GET OA------  POST OA------
/api/automations/:id                           GET OA------  PATCH OA------  DELETE OA------
/api/automations/:id/enable                    POST OA------
/api/automations/:id/logs                      GET OA------
/api/automations/:id/logs/:logId/rerun         POST OA------
/api/automations/:id/pause                     POST OA------
/api/automations/templates                     GET OA------
/api/automations/:id/test                      POST OA------
/api/auth/change-password                      POST OACSPWHV
/api/auth/forgot-password                      POST public
/api/auth/invitations                          GET OACSPWHV
/api/auth/invitations/:id/accept               POST OACSPWHV
/api/auth/invitations/:id/decline              POST OACSPWHV
/api/auth/invitations/accept                   POST public
/api/auth/invitations/decline                  POST public
/api/auth/login                                POST public
/api/auth/logout                               POST OACSPWHV
/api/auth/me                                   GET OACSPWHV
/api/auth/refresh                              POST public
/api/auth/reset-password                       POST public
/api/auth/switch-tenant                        POST OACSPWHV
/api/bad-debts                                 GET OAC----V  POST OAC-----
/api/bad-debts/:id                             GET OAC----V
/api/bad-debts/:id/undo                        POST OAC-----
/api/bad-debts/:id/write-off                   POST OAC-----
/api/bad-debts/generate                        POST OAC-----
/api/bank-rules                                GET OAC----V  POST OAC-----
/api/bank-rules/:id                            GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/bank-rules/preview                        POST OAC----V
/api/budget-lines                              GET OAC----V  POST OAC-----
/api/budget-lines/:id                          GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/budgets                                   GET OAC----V  POST OAC-----
/api/budgets/:id                               GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/budgets/:id/copy                          POST OAC-----
/api/budgets/:id/fill                          POST OAC-----
/api/budgets/:id/spread                        POST OAC-----
/api/bank-statements                           GET OAC----V  POST OAC-----
/api/bank-statements/:id                       GET OAC----V  DELETE OAC-----
/api/bank-statements/:id/lines                 GET OAC----V
/api/bank-statements/:id/suggestions           GET OAC----V
/api/bank-statements/accept                    POST OAC-----
/api/bank-statements/lines                     GET OAC----V
/api/bank-statements/lines/:id                 GET OAC----V
/api/bank-statements/lines/ignore              POST OAC-----
/api/bank-statements/lines/reopen              POST OAC-----
/api/batches                                   GET OACSPW-V
/api/batches/:id                               GET OACSPW-V  PATCH OA---W--
/api/batches/:id/confirm                       POST OA---W--
/api/categories                                GET OACSPW-V  POST OA------
/api/categories/:id                            GET OACSPW-V  PATCH OA------  DELETE OA------
/api/comments                                  GET OACSPWHV  POST OACSPWHV
/api/comments/:id                              GET OACSPWHV  PATCH OACSPWHV  DELETE OACSPWHV
/api/commission-rates                          GET OAC-----  POST OAC-----
/api/commission-rates/:id                      GET OAC-----  PATCH OAC-----  DELETE OAC-----
/api/commission-settlements                    GET OAC-----  POST OAC-----
/api/commission-settlements/:id                GET OAC-----  DELETE OAC-----
/api/company                                   GET OACSPWHV  PUT OA------
/api/company/logo                              GET OACSPWHV  PUT OA------  DELETE OA------
/api/company/usage                             GET OACSPWHV
/api/config/accounting                         GET OACSPW-V  PUT OAC-----
/api/config/bank-accounts                      GET OAC----V  POST OA------
/api/config/bank-accounts/:id                  GET OAC----V  PATCH OA------  DELETE OA------
/api/config/branding                           GET OACSPWHV  PUT OA------
/api/config/flags                              GET OACSPWHV  PUT OA------
/api/config/format                             GET OACSPWHV  PUT OA------
/api/config/payments                           GET OAC----V  PUT OA------
/api/config/payroll                            GET OAC----V  PUT OA------
/api/config/automations                        GET OAC----V  PUT OA------
/api/config/face                               GET OAC----V  PUT OA------
/api/config/tax                                GET OACSPWHV  PUT OA------
/api/config/verifactu                          GET OAC----V  PUT OA------
/api/cost-centers                              GET OACSPWHV  POST OAC-----
/api/cost-centers/:id                          GET OACSPWHV  PATCH OAC-----  DELETE OAC-----
/api/custom-fields                             GET OACSPWHV  POST OA------
/api/custom-fields/:id                         GET OACSPWHV  PATCH OA------  DELETE OA------
/api/custom-fields/by-table/:table             GET OACSPWHV
/api/customers                                 GET public
/api/customers/pdf                             GET public
/api/dashboard/summary                         GET OACSPWHV
/api/deferral-runs                             POST OAC-----
/api/departments                               GET OA----HV  POST OA----H-
/api/departments/:id                           GET OA----HV  PATCH OA----H-  DELETE OA----H-
/api/dunning-levels                            GET OACS---V  POST OAC-----
/api/dunning-levels/:id                        GET OACS---V  PATCH OAC-----  DELETE OAC-----
/api/dunnings                                  GET OACS---V  POST OAC-----
/api/dunnings/:id                              GET OACS---V
/api/dunnings/proposals                        GET OACS---V
/api/events                                    GET OA------
/api/holidays                                  GET OA----HV  POST OA----H-
/api/holidays/:id                              GET OA----HV  PATCH OA----H-  DELETE OA----H-
/api/email-templates                           GET OAC----V  POST OA------
/api/email-templates/:id                       GET OAC----V  PATCH OA------  DELETE OA------
/api/email-templates/:id/preview               POST OAC----V
/api/email-templates/defaults                  GET OAC----V
/api/emails                                    GET OACSPWHV
/api/emails/:id                                GET OACSPWHV
/api/emails/:id/resend                         POST OACSPWHV
/api/employees                                 GET OA----HV  POST OA----H-
/api/employees/:id                             GET OA----HV  PATCH OA----H-  DELETE OA----H-
/api/employees/:id/contracts                   GET OA----H-  POST OA----H-
/api/employees/:id/contracts/:contractId       GET OA----H-  PATCH OA----H-  DELETE OA----H-
/api/employees/:id/cost-shares                 GET OA----HV  POST OA----H-
/api/employees/:id/cost-shares/:costShareId    GET OA----HV  PATCH OA----H-  DELETE OA----H-
/api/employees/:id/irpf                        POST OA----H-
/api/employees/:id/pay-items                   GET OA----H-  POST OA----H-
/api/employees/:id/pay-items/:payItemId        GET OA----H-  PATCH OA----H-  DELETE OA----H-
/api/employees/:id/tax-data                    GET OA----H-  PUT OA----H-
/api/employees/:id/vacation                    GET OA----HV
/api/entry-templates                           GET OAC----V  POST OAC-----
/api/entry-templates/:id                       GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/entry-templates/:id/enter                 POST OAC-----
/api/exchange-rates                            GET OACSPW-V  POST OAC-----
/api/exchange-rates/:id                        GET OACSPW-V  PATCH OAC-----  DELETE OAC-----
/api/exchange-rates/import                     POST OAC-----
/api/exchange-revaluations                     GET OAC----V  POST OAC-----
/api/exchange-revaluations/:id                 GET OAC----V
/api/exchange-revaluations/:id/cancel          POST OAC-----
/api/face/submissions                          GET OACS---V
/api/face/submissions/:id                      GET OACS---V
/api/fiscal-years                              GET OAC----V
/api/fiscal-years/:year                        GET OAC----V
/api/fiscal-years/:year/close                  POST OAC-----
/api/fiscal-years/:year/reopen                 POST OAC-----
/api/group-account-mappings                    GET OAC----V  POST OAC-----
/api/group-account-mappings/:id                GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/group-adjustments                         GET OAC----V  POST OAC-----
/api/group-adjustments/:id                     GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/group-companies                           GET OAC----V  POST OAC-----
/api/group-companies/:id                       GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/import/budgets                            POST OAC-----
/api/import/budget-lines                       POST OAC-----
/api/import/asset-groups                       POST OAC-----
/api/import/assets                             POST OAC-----
/api/import/commission-rates                   POST OAC-----
/api/import/dunning-levels                     POST OAC-----
/api/import/entry-templates                    POST OAC-----
/api/import/exchange-rates                     POST OAC-----
/api/import/group-account-mappings             POST OAC-----
/api/import/group-adjustments                  POST OAC-----
/api/import/group-companies                    POST OAC-----
/api/import/price-rules                        POST OA-SP---
/api/import/promotions                         POST OA-SP---
/api/import/rented-properties                  POST OAC-----
/api/import/reorder-rules                      POST OA---W--
/api/import/salespeople                        POST OA------
/api/import/standard-costs                     POST OAC-----
/api/items/:id/barcodes                        GET OACSPW-V  POST OA---W--
/api/items/:id/barcodes/:barcodeId             GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
/api/items/:id/components                      GET OACSPW-V  POST OA---W--
/api/items/:id/components/:componentLineId     GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
/api/landed-costs                              GET OACSPW-V  POST OA---W--
/api/landed-costs/:id                          GET OACSPW-V
/api/landed-costs/:id/cancel                   POST OA---W--
/api/partners/:id/link                         GET OACS---V  POST OACS----  DELETE OACS----
/api/partners/:id/operations-letter/send       POST OAC-----
/api/partners/:id/statement/send               POST OACS----
/api/payrolls                                  GET OA----H-
/api/payrolls/:id                              GET OA----H-  PATCH OA----H-  DELETE OA----H-
/api/payrolls/:id/cancel                       POST OA----H-
/api/payrolls/:id/payslip                      GET public
/api/payrolls/:id/post                         POST OA----H-
/api/payrolls/generate                         POST OA----H-
/api/payrolls/pay                              POST OA----H-
/api/payrolls/regularise                       POST OA----H-
/api/payrolls/send-payslips                    POST OA----H-
/api/payrolls/sepa                             POST OA----H-
/api/price-rules                               GET OACSPW-V  POST OA-SP---
/api/price-rules/:id                           GET OACSPW-V  PATCH OA-SP---  DELETE OA-SP---
/api/investment-goods                          GET OAC----V
/api/investment-goods/:id/disposal             POST OAC-----  DELETE OAC-----
/api/pro-rata/:year                            GET OAC----V  POST OAC-----
/api/files                                     GET OACSPWHV  POST OACSPWHV
/api/files/:id                                 GET OACSPWHV  DELETE OACSPWHV
/api/files/:id/details                         GET OACSPWHV  PATCH OACSPWHV
/api/files/:id/link                            GET OACSPWHV
/api/import/partners                           POST OACSP---
/api/import/items                              POST OA---W--
/api/import/loans                              POST OAC-----
/api/import/parent-companies                   POST OA------
/api/import/pricelists                         POST OA-SP---
/api/import/accounts                           POST OAC-----
/api/import/custom-fields                      POST OA------
/api/import/warehouses                         POST OA---W--
/api/invitations                               GET OA------
/api/invitations/:id                           GET OA------  DELETE OA------
/api/invitations/:id/resend                    POST OA------
/api/items                                     GET OACSPW-V  POST OA---W--
/api/items/:id                                 GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
/api/items/:id/units                           GET OACSPW-V  POST OA---W--
/api/items/:id/units/:unitId                   GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
/api/journal-entries                           GET OAC----V  POST OAC-----
/api/journal-entries/:id                       GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/journal-entries/:id/post                  POST OAC-----
/api/journal-entries/:id/reverse               POST OAC-----
/api/journal-entries/import                    POST OAC-----
/api/journal-entries/stock-variation           POST OAC-----
/api/loans                                     GET OAC----V  POST OAC-----
/api/loans/:id                                 GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/loans/:id/draw                            POST OAC-----
/api/loans/:id/repay                           POST OAC-----
/api/loans/:id/schedule                        GET OAC----V
/api/loans/:id/take-over                       POST OAC-----
/api/loans/:id/undo                            POST OAC-----
/api/memberships                               GET OA------  POST OA------
/api/memberships/:id                           GET OA------  PATCH OA------  DELETE OA------
/api/memberships/tenants-for-user              GET OA------
/api/notifications                             GET OACSPWHV
/api/notifications/:id                         GET OACSPWHV  DELETE OACSPWHV
/api/notifications/:id/read                    POST OACSPWHV
/api/notifications/:id/unread                  POST OACSPWHV
/api/notifications/push-key                    GET OACSPWHV
/api/notifications/push-subscriptions          GET OACSPWHV  POST OACSPWHV  DELETE OACSPWHV
/api/notifications/push-subscriptions/:id      DELETE OACSPWHV
/api/notifications/read-all                    POST OACSPWHV
/api/notifications/settings                    GET OACSPWHV  PATCH OACSPWHV
/api/notifications/unread-count                GET OACSPWHV
/api/notifications/unsubscribe                 GET public  POST public
/api/open-items                                GET OAC----V
/api/open-items/:id/reconciliation             GET OAC----V
/api/parent-companies                          GET OAC----V  POST OA------
/api/parent-companies/:id                      GET OAC----V  PATCH OA------  DELETE OA------
/api/partnerGroups                             GET OACSPW-V  POST OAC-----
/api/partnerGroups/:id                         GET OACSPW-V  PATCH OAC-----  DELETE OAC-----
/api/partners                                  GET OACSPW-V  POST OACSP---
/api/partners/:id                              GET OACSPW-V  PATCH OACSP---  DELETE OACSP---
/api/partners/:id/addresses                    GET OACSPW-V  POST OACSP---
/api/partners/:id/addresses/:addressId         GET OACSPW-V  PATCH OACSP---  DELETE OACSP---
/api/partners/:id/mandates                     GET OACSPW-V  POST OACSP---
/api/partners/:id/mandates/:mandateId          GET OACSPW-V  PATCH OACSP---  DELETE OACSP---
/api/payments/in                               GET OACS---V  POST OAC-----
/api/payments/in/:id                           GET OACS---V  PATCH OAC-----  DELETE OAC-----
/api/payments/in/:id/apply                     POST OAC-----
/api/payments/in/:id/return                    POST OAC-----
/api/payments/offsets                          GET OAC----V  POST OAC-----
/api/payments/offsets/:id                      GET OAC----V  DELETE OAC-----
/api/payments/out                              GET OAC-P--V  POST OAC-----
/api/payment-terms                             GET OACSPW-V  POST OAC-----
/api/payment-terms/:id                         GET OACSPW-V  PATCH OAC-----  DELETE OAC-----
/api/payments/out/:id                          GET OAC-P--V  PATCH OAC-----  DELETE OAC-----
/api/payments/out/:id/apply                    POST OAC-----
/api/payments/out/:id/return                   POST OAC-----
/api/payments/reconciliation/sales_order/:id   GET OACS---V
/api/payments/reconciliation/sales_invoice/:id GET OACS---V
/api/payments/reconciliation/purchase_delivery_note/:id GET OAC-P--V
/api/payments/reconciliation/purchase_invoice/:id GET OAC-P--V
/api/payments/reconciliation/run               POST OAC-----
/api/payments/sepa/credit-transfers            POST OAC-----
/api/payments/sepa/direct-debits               POST OAC-----
/api/payments/sepa/orders                      GET OAC----V
/api/payments/sepa/orders/:id                  GET OAC----V
/api/payments/sepa/orders/:id/file             GET OAC----V
/api/payments/sepa/status-reports              POST OAC-----
/api/periods                                   GET OACSPW-V  POST OAC-----
/api/periods/:id                               GET OACSPW-V  PATCH OAC-----  DELETE OAC-----
/api/periods/:id/checklist                     GET OACSPW-V
/api/periods/generate                          POST OAC-----
/api/pricelists                                GET OACSPW-V  POST OA-SP---
/api/pricelists/:id                            GET OACSPW-V  PATCH OA-SP---  DELETE OA-SP---
/api/pricelists/:id/prices                     GET OACSPW-V  POST OA-SP---
/api/pricelists/:id/prices/:priceId            GET OACSPW-V  PATCH OA-SP---  DELETE OA-SP---
/api/prices                                    GET OACSPW-V
/api/projects                                  GET OACSPWHV  POST OAC-----
/api/projects/:id                              GET OACSPWHV  PATCH OAC-----  DELETE OAC-----
/api/promotions                                GET OACSPW-V  POST OA-SP---
/api/promotions/:id                            GET OACSPW-V  PATCH OA-SP---  DELETE OA-SP---
/api/purchases                                 GET OAC-PW-V  POST OA--P---
/api/purchases/:id                             GET OAC-PW-V  PATCH OA--P---
/api/purchases/:id/cancel                      POST OA--P---
/api/purchases/:id/close                       POST OA--P---
/api/purchases/:id/duplicate                   POST OA--P---
/api/purchases/:id/flow                        GET OAC-PW-V
/api/purchases/:id/lock                        POST OA------
/api/purchases/:id/pdf                         GET OAC-PW-V
/api/purchases/:id/receive                     POST OA--PW--
/api/purchases/:id/send                        POST OA--P---
/api/purchases/:id/unlock                      POST OA------
/api/purchases/delivery-notes                  GET OAC-PW-V  POST OA--PW--
/api/purchases/delivery-notes/:id              GET OAC-PW-V  PATCH OA--PW--  DELETE OA--PW--
/api/purchases/delivery-notes/:id/cancel       POST OA--PW--
/api/purchases/delivery-notes/:id/duplicate    POST OA--PW--
/api/purchases/delivery-notes/:id/flow         GET OAC-PW-V
/api/purchases/delivery-notes/:id/invoice      POST OAC-P---
/api/purchases/delivery-notes/:id/lock         POST OA------
/api/purchases/delivery-notes/:id/pdf          GET OAC-PW-V
/api/purchases/delivery-notes/:id/return       POST OA--PW--
/api/purchases/delivery-notes/:id/send         POST OA--PW--
/api/purchases/delivery-notes/:id/unlock       POST OA------
/api/purchases/invoices                        GET OAC-P--V  POST OAC-P---
/api/purchases/invoices/:id                    GET OAC-P--V  PATCH OAC-P---  DELETE OAC-P---
/api/purchases/invoices/:id/cancel             POST OAC-P---
/api/purchases/invoices/:id/duplicate          POST OAC-P---
/api/purchases/invoices/:id/flow               GET OAC-P--V
/api/purchases/invoices/:id/lock               POST OA------
/api/purchases/invoices/:id/pdf                GET OAC-P--V
/api/purchases/invoices/:id/post               POST OAC-P---
/api/purchases/invoices/:id/rectify            POST OAC-P---
/api/purchases/invoices/:id/send               POST OAC-P---
/api/purchases/invoices/:id/unlock             POST OA------
/api/purchases/invoices/from-notes             POST OAC-P---
/api/purchases/invoices/import                 POST OAC-P---
/api/purchases/lines                           GET OAC-P--V
/api/purchases/requests                        GET OAC-P--V  POST OA--P---
/api/purchases/requests/:id                    GET OAC-P--V  DELETE OA--P---  PATCH OA--P---
/api/purchases/requests/:id/accept             POST OA--P---
/api/purchases/requests/:id/cancel             POST OA--P---
/api/purchases/requests/:id/duplicate          POST OA--P---
/api/purchases/requests/:id/flow               GET OAC-P--V
/api/purchases/requests/:id/invoice            POST OAC-P---
/api/purchases/requests/:id/issue              POST OA--P---
/api/purchases/requests/:id/link               POST OA--P---
/api/purchases/requests/:id/lock               POST OA------
/api/purchases/requests/:id/order              POST OA--P---
/api/purchases/requests/:id/pdf                GET OAC-P--V
/api/purchases/requests/:id/reject             POST OA--P---
/api/purchases/requests/:id/revise             POST OA--P---
/api/purchases/requests/:id/revisions          GET OAC-P--V
/api/purchases/requests/:id/send               POST OA--P---
/api/purchases/requests/:id/unlock             POST OA------
/api/quotations                                GET public  POST public
/api/quotations/pdf                            GET public
/api/plugins                                   GET OA------  POST OA------
/api/plugins/:id                               GET OA------  PATCH OA------  DELETE OA------
/api/plugins/:id/disable                       POST OA------
/api/plugins/:id/enable                        POST OA------
/api/plugins/:id/hooks/:hook                   POST plugin
/api/plugins/:id/rotate-secret                 POST OA------
/api/plugins/:id/rotate-token                  POST OA------
/api/recurring                                 GET OACSP--V  POST OACSP---
/api/recurring/:id                             GET OACSP--V  PATCH OACSP---  DELETE OACSP---
/api/recurring/:id/pause                       POST OACSP---
/api/recurring/:id/resume                      POST OACSP---
/api/recurring/:id/run                         POST OACSP---
/api/recurring/:id/runs                        GET OACSP--V
/api/recurring/:id/runs/:runId/retry           POST OACSP---
/api/rented-properties                         GET OAC----V  POST OAC-----
/api/rented-properties/:id                     GET OAC----V  PATCH OAC-----  DELETE OAC-----
/api/reorder                                   GET OACSPW-V  POST OA--P---
/api/reorder-rules                             GET OACSPW-V  POST OA---W--
/api/reorder-rules/:id                         GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
/api/report-schedules                          GET OACSPWHV  POST OACSPWHV
/api/report-schedules/:id                      GET OACSPWHV  PATCH OACSPWHV  DELETE OACSPWHV
/api/report-schedules/:id/pause                POST OACSPWHV
/api/report-schedules/:id/resume               POST OACSPWHV
/api/reports/absenteeism                       GET OAC---H-
/api/reports/absenteeism/generate              POST OAC---H-
/api/reports/aging                             GET OAC----V
/api/reports/aging/generate                    POST OAC----V
/api/reports/aging-lines                       GET OAC----V
/api/reports/aging-lines/generate              POST OAC----V
/api/reports/assets                            GET OAC----V
/api/reports/assets/generate                   POST OAC----V
/api/reports/bad-debts                         GET OAC----V
/api/reports/bad-debts/generate                POST OAC----V
/api/reports/balance-sheet                     GET OAC----V
/api/reports/balance-sheet/generate            POST OAC----V
/api/reports/bank-reconciliation               GET OAC----V
/api/reports/bank-reconciliation/generate      POST OAC----V
/api/reports/cash-flow-statement               GET OAC----V
/api/reports/cash-flow-statement/generate      POST OAC----V
/api/reports/cashflow                          GET OAC----V
/api/reports/cashflow/generate                 POST OAC----V
/api/reports/commission-lines                  GET OAC-----
/api/reports/commission-lines/generate         POST OAC-----
/api/reports/commissions                       GET OAC-----
/api/reports/commissions/generate              POST OAC-----
/api/reports/consolidated-balance-sheet        GET OAC----V
/api/reports/consolidated-balance-sheet/generate POST OAC----V
/api/reports/consolidated-pl                   GET OAC----V
/api/reports/consolidated-pl/generate          POST OAC----V
/api/reports/consolidated-trial-balance        GET OAC----V
/api/reports/consolidated-trial-balance/generate POST OAC----V
/api/reports/budget                            GET OAC----V
/api/reports/budget/generate                   POST OAC----V
/api/reports/cost-variances                    GET OACSPW-V
/api/reports/cost-variances/generate           POST OACSPW-V
/api/reports/customer-statement                GET OACS---V
/api/reports/customer-statement/generate       POST OACS---V
/api/reports/deferrals                         GET OAC----V
/api/reports/deferrals/generate                POST OAC----V
/api/reports/depreciation-schedule             GET OAC----V
/api/reports/depreciation-schedule/generate    POST OAC----V
/api/reports/equity-changes                    GET OAC----V
/api/reports/equity-changes/generate           POST OAC----V
/api/reports/executive                         GET OAC----V
/api/reports/executive/generate                POST OAC----V
/api/reports/general-ledger                    GET OAC----V
/api/reports/general-ledger/generate           POST OAC----V
/api/reports/headcount                         GET OAC---H-
/api/reports/headcount/generate                POST OAC---H-
/api/reports/inventories-and-accounts          GET OAC----V
/api/reports/inventories-and-accounts/generate POST OAC----V
/api/reports/journal                           GET OAC----V
/api/reports/journal/generate                  POST OAC----V
/api/reports/labor-cost                        GET OAC---H-
/api/reports/labor-cost/generate               POST OAC---H-
/api/reports/ledger                            GET OAC----V
/api/reports/ledger/generate                   POST OAC----V
/api/reports/legal-books                       GET OAC----V
/api/reports/legal-books/generate              POST OAC----V
/api/reports/loans                             GET OAC----V
/api/reports/loans/generate                    POST OAC----V
/api/reports/operations-letter                 GET OAC----V
/api/reports/operations-letter/generate        POST OAC----V
/api/reports/partner-balances                  GET OAC----V
/api/reports/partner-balances/generate         POST OAC----V
/api/reports/payments-summary                  GET OAC----V
/api/reports/payments-summary/generate         POST OAC----V
/api/reports/payslip                           GET OA----H-
/api/reports/payslip/generate                  POST OA----H-
/api/reports/pl                                GET OAC----V
/api/reports/pl/generate                       POST OAC----V
/api/reports/profit-category                   GET OACS---V
/api/reports/profit-category/generate          POST OACS---V
/api/reports/profit-cost-center                GET OACS---V
/api/reports/profit-cost-center/generate       POST OACS---V
/api/reports/profit-country                    GET OACS---V
/api/reports/profit-country/generate           POST OACS---V
/api/reports/profit-customer                   GET OACS---V
/api/reports/profit-customer/generate          POST OACS---V
/api/reports/profit-item                       GET OACS---V
/api/reports/profit-item/generate              POST OACS---V
/api/reports/profit-lines                      GET OACS---V
/api/reports/profit-lines/generate             POST OACS---V
/api/reports/profit-month                      GET OACS---V
/api/reports/profit-month/generate             POST OACS---V
/api/reports/profit-partner-group              GET OACS---V
/api/reports/profit-partner-group/generate     POST OACS---V
/api/reports/profit-project                    GET OACS---V
/api/reports/profit-project/generate           POST OACS---V
/api/reports/profit-salesperson                GET OACS---V
/api/reports/profit-salesperson/generate       POST OACS---V
/api/reports/stock-age                         GET OACSPW-V
/api/reports/stock-age/generate                POST OACSPW-V
/api/reports/stock-movements                   GET OACSPW-V
/api/reports/stock-movements/generate          POST OACSPW-V
/api/reports/stock-rotation                    GET OACSPW-V
/api/reports/stock-rotation/generate           POST OACSPW-V
/api/reports/stock-valuation                   GET OACSPW-V
/api/reports/stock-valuation/generate          POST OACSPW-V
/api/reports/supplier-statement                GET OAC-P--V
/api/reports/supplier-statement/generate       POST OAC-P--V
/api/reports/tax/cash-basis                    GET OAC----V
/api/reports/tax/cash-basis/generate           POST OAC----V
/api/reports/tax/model111                      GET OAC----V
/api/reports/tax/model111/generate             POST OAC----V
/api/reports/tax/model115                      GET OAC----V
/api/reports/tax/model115/generate             POST OAC----V
/api/reports/tax/model123                      GET OAC----V
/api/reports/tax/model123/generate             POST OAC----V
/api/reports/tax/model130                      GET OAC----V
/api/reports/tax/model130/generate             POST OAC----V
/api/reports/tax/model180                      GET OAC----V
/api/reports/tax/model180/generate             POST OAC----V
/api/reports/tax/model190                      GET OA----H-
/api/reports/tax/model190/generate             POST OA----H-
/api/reports/tax/model193                      GET OAC----V
/api/reports/tax/model193/generate             POST OAC----V
/api/reports/tax/model200                      GET OAC----V
/api/reports/tax/model200/generate             POST OAC----V
/api/reports/tax/model303                      GET OAC----V
/api/reports/tax/model303/generate             POST OAC----V
/api/reports/tax/model347                      GET OAC----V
/api/reports/tax/model347/generate             POST OAC----V
/api/reports/tax/model349                      GET OAC----V
/api/reports/tax/model349/generate             POST OAC----V
/api/reports/tax/model369                      GET OAC----V
/api/reports/tax/model369/generate             POST OAC----V
/api/reports/tax/model390                      GET OAC----V
/api/reports/tax/model390/generate             POST OAC----V
/api/reports/tax/model420                      GET OAC----V
/api/reports/tax/model420/generate             POST OAC----V
/api/reports/tax/model425                      GET OAC----V
/api/reports/tax/model425/generate             POST OAC----V
/api/reports/tax/vat-book-investment-goods     GET OAC----V
/api/reports/tax/vat-book-investment-goods/generate POST OAC----V
/api/reports/tax/vat-book-issued               GET OAC----V
/api/reports/tax/vat-book-issued/generate      POST OAC----V
/api/reports/tax/vat-book-received             GET OAC----V
/api/reports/tax/vat-book-received/generate    POST OAC----V
/api/reports/time-sheet                        GET OA----H-
/api/reports/time-sheet/generate               POST OA----H-
/api/reports/trial-balance                     GET OAC----V
/api/reports/trial-balance/generate            POST OAC----V
/api/reports/vat                               GET OAC----V
/api/reports/vat/generate                      POST OAC----V
/api/reports/withholding-certificate           GET OA----H-
/api/reports/withholding-certificate/generate  POST OA----H-
/api/roles                                     GET OACSPWHV  POST OA------
/api/roles/:id                                 GET OACSPWHV  PATCH OA------  DELETE OA------
/api/sales                                     GET OACS-W-V  POST OA-S----
/api/sales/:id                                 GET OACS-W-V  PATCH OA-S----
/api/sales/:id/cancel                          POST OA-S----
/api/sales/:id/close                           POST OA-S----
/api/sales/:id/deliver                         POST OA-S-W--
/api/sales/:id/drop-ship                       POST OA--P---
/api/sales/:id/drop-shipments                  GET OAC-PW-V
/api/sales/:id/duplicate                       POST OA-S----
/api/sales/:id/flow                            GET OACS-W-V
/api/sales/:id/proforma                        GET OACS-W-V
/api/sales/:id/lock                            POST OA------
/api/sales/:id/pdf                             GET OACS-W-V
/api/sales/:id/send                            POST OA-S----
/api/sales/:id/unlock                          POST OA------
/api/sales/delivery-notes                      GET OACS-W-V  POST OA-S-W--
/api/sales/delivery-notes/:id                  GET OACS-W-V  PATCH OA-S-W--
/api/sales/delivery-notes/:id/cancel           POST OA-S-W--
/api/sales/delivery-notes/:id/duplicate        POST OA-S-W--
/api/sales/delivery-notes/:id/flow             GET OACS-W-V
/api/sales/delivery-notes/:id/invoice          POST OACS----
/api/sales/delivery-notes/:id/lock             POST OA------
/api/sales/delivery-notes/:id/pdf              GET OACS-W-V
/api/sales/delivery-notes/:id/return           POST OA-S-W--
/api/sales/delivery-notes/:id/send             POST OA-S-W--
/api/sales/delivery-notes/:id/unlock           POST OA------
/api/sales/invoices                            GET OACS---V  POST OACS----
/api/sales/invoices/:id                        GET OACS---V  PATCH OACS----  DELETE OACS----
/api/sales/invoices/:id/cancel                 POST OACS----
/api/sales/invoices/:id/cii                    GET OACS---V
/api/sales/invoices/:id/duplicate              POST OACS----
/api/sales/invoices/:id/facturae               GET OACS---V
/api/sales/invoices/:id/facturae/annul         POST OACS----
/api/sales/invoices/:id/facturae/registered    POST OACS----
/api/sales/invoices/:id/facturae/send          POST OACS----
/api/sales/invoices/:id/flow                   GET OACS---V
/api/sales/invoices/:id/full-invoice           POST OACS----
/api/sales/invoices/:id/lock                   POST OA------
/api/sales/invoices/:id/pdf                    GET OACS---V
/api/sales/invoices/:id/post                   POST OACS----
/api/sales/invoices/:id/rectify                POST OACS----
/api/sales/invoices/:id/send                   POST OACS----
/api/sales/invoices/:id/ubl                    GET OACS---V
/api/sales/invoices/:id/unlock                 POST OA------
/api/sales/invoices/from-notes                 POST OACS----
/api/sales/lines                               GET OACS---V
/api/sales/quotations                          GET OACS---V  POST OA-S----
/api/sales/quotations/:id                      GET OACS---V  DELETE OA-S----  PATCH OA-S----
/api/sales/quotations/:id/accept               POST OA-S----
/api/sales/quotations/:id/cancel               POST OA-S----
/api/sales/quotations/:id/duplicate            POST OA-S----
/api/sales/quotations/:id/flow                 GET OACS---V
/api/sales/quotations/:id/invoice              POST OACS----
/api/sales/quotations/:id/issue                POST OA-S----
/api/sales/quotations/:id/link                 POST OA-S----
/api/sales/quotations/:id/lock                 POST OA------
/api/sales/quotations/:id/order                POST OA-S----
/api/sales/quotations/:id/pdf                  GET OACS---V
/api/sales/quotations/:id/reject               POST OA-S----
/api/sales/quotations/:id/revise               POST OA-S----
/api/sales/quotations/:id/revisions            GET OACS---V
/api/sales/quotations/:id/send                 POST OA-S----
/api/sales/quotations/:id/unlock               POST OA------
/api/salespeople                               GET OACSPW-V  POST OA------
/api/salespeople/:id                           GET OACSPW-V  PATCH OA------  DELETE OA------
/api/serials                                   GET OACSPW-V
/api/serials/:id                               GET OACSPW-V
/api/series                                    GET OACSPWHV  POST OAC-----
/api/series/:id                                GET OACSPWHV  PATCH OAC-----  DELETE OAC-----
/api/search                                    GET OACSPWHV
/api/setup/init                                POST public
/api/setup/status                              GET public
/api/standard-costs                            GET OACSPW-V  POST OAC-----
/api/standard-costs/:id                        GET OACSPW-V  PATCH OAC-----  DELETE OAC-----
/api/stock                                     GET OACSPW-V
/api/stock/adjustments                         GET OACSPW-V  POST OA---W--
/api/stock/adjustments/:id                     GET OACSPW-V
/api/stock/assemblies                          GET OACSPW-V  POST OA---W--
/api/stock/assemblies/:id                      GET OACSPW-V
/api/stock/availability                        GET OACSPW-V
/api/stock/movements                           GET OACSPW-V
/api/stock/transfers                           GET OACSPW-V  POST OA---W--
/api/stock/transfers/:id                       GET OACSPW-V
/api/tasks                                     GET OACSPWHV
/api/tasks/:id                                 GET OACSPWHV  DELETE OACSPWHV
/api/tasks/:id/progress                        GET OACSPWHV
/api/tasks/:id/result                          GET OACSPWHV
/api/tax-accruals                              POST OAC-----
/api/tax-returns                               GET OAC----V  POST OAC-----
/api/tax-returns/:id                           GET OAC----V  DELETE OAC-----
/api/taxes                                     GET OACSPWHV  POST OAC-----
/api/taxes/:id                                 GET OACSPWHV  PATCH OAC-----  DELETE OAC-----
/api/tenants                                   POST OA------
/api/tenants/:id                               GET OACSPWHV
/api/tenants/mine                              GET OACSPWHV
/api/time-records                              GET OA----H-  POST OA----H-
/api/time-records/:id                          GET OA----H-  PATCH OA----H-
/api/time-records/:id/cancel                   POST OA----H-
/api/time-records/clock-in                     POST OA----H-
/api/time-records/clock-out                    POST OA----H-
/api/to-dos                                    GET OACSPWHV  POST OACSPWHV
/api/to-dos/:id                                GET OACSPWHV  PATCH OACSPWHV  DELETE OACSPWHV
/api/to-dos/:id/approve                        POST OACSPWHV
/api/to-dos/:id/done                           POST OACSPWHV
/api/to-dos/:id/refuse                         POST OACSPWHV
/api/to-dos/:id/reopen                         POST OACSPWHV
/api/to-dos/answer                             GET public  POST public
/api/transactions                              POST OACSPWHV
/api/uom                                       GET OACSPWHV  POST OA------
/api/uom/:id                                   GET OACSPWHV  PATCH OA------  DELETE OA------
/api/users                                     GET OA------  POST OA------
/api/users/:id                                 GET OA------  PATCH OA------  DELETE OA------
/api/verifactu                                 GET OAC----V
/api/verifactu/chain                           GET OAC----V
/api/verifactu/chain/inherited                 PUT OA------
/api/verifactu/certificate                     GET OACSPWHV  PUT OA------  DELETE OA------
/api/verifactu/declaration                     GET OACSPWHV
/api/verifactu/records                         GET OAC----V
/api/verifactu/records/:id                     GET OAC----V
/api/verifactu/records/:id/annul               POST OAC-----
/api/verifactu/records/:id/correct             POST OAC-----
/api/verifactu/resume                          POST OAC-----
/api/verifactu/submissions                     GET OAC----V
/api/warehouses                                GET OACSPW-V  POST OA---W--
/api/warehouses/:id                            GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
/api/warehouses/:id/generate-bins              POST OA---W--
/api/webhooks                                  GET OA------  POST OA------
/api/webhooks/:id                              GET OA------  PATCH OA------  DELETE OA------
/api/webhooks/:id/logs                         GET OA------
/api/webhooks/:id/logs/:logId/redeliver        POST OA------
/api/webhooks/:id/recover                      POST OA------
/api/webhooks/:id/rotate-secret                POST OA------
/api/webhooks/:id/stats                        GET OA------
/api/webhooks/:id/test                         POST OA------
/api/webhooks/events                           GET OA------
/api/zones                                     GET OACSPW-V  POST OA---W--
/api/zones/:id                                 GET OACSPW-V  PATCH OA---W--  DELETE OA---W--
`;
