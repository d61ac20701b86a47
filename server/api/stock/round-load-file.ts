import { exportValues } from '../../export/given.ts'
import { loadsMatching, productsMatching } from './round-load.ts'

/** What to load by stop. */
export const roundLoadsSource = exportValues<
  'roundLoads',
  'position' | 'posName' | 'selection' | 'product' | 'productCode' | 'quantity' | 'capacity'
>({
  list: 'roundLoads',
  fields: {
    position: 'bigint',
    posName: 'text',
    selection: 'text',
    product: 'text',
    productCode: 'text',
    quantity: 'bigint',
    capacity: 'bigint',
  },
  rowsOf: (db, { filter, ord, ordType }) => loadsMatching(db, { ...filter, ord, ordType }),
})

/** What to load by product. */
export const roundProductsSource = exportValues<'roundProducts', 'product' | 'productCode' | 'quantity' | 'stops'>({
  list: 'roundProducts',
  fields: { product: 'text', productCode: 'text', quantity: 'bigint', stops: 'bigint' },
  rowsOf: (db, { filter, ord, ordType }) => productsMatching(db, { ...filter, ord, ordType }),
})
