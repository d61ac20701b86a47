import type { ImportKind } from '#contract/imports/import-kinds.ts'
import type { KindOfImport } from './kind.ts'
import { machineKind } from './machine-kind.ts'
import { mediaKind } from './media-kind.ts'
import { planogramKind } from './planogram-kind.ts'
import { clientKind, customerKind, groupKind, productKind } from './record-kinds.ts'

/** How each kind is compared, written and undone: a new kind is a line here and one in the contract. */
export const kindsOfImport: Readonly<Record<ImportKind, KindOfImport>> = {
  groups: groupKind,
  clients: clientKind,
  products: productKind,
  machines: machineKind,
  planograms: planogramKind,
  customers: customerKind,
  media: mediaKind,
}
