/** A price of a selection at a machine. */
export interface PriceKey {
  merchantId: string
  machineId: string
  selection: string
  priceTable: number
}

/** The columns of the key of prices, for insertions. */
export const priceKeyColumns = (prices: readonly PriceKey[]) =>
  [
    { name: 'merchant_id', type: 'uuid', values: prices.map(({ merchantId }) => merchantId) },
    { name: 'machine_id', type: 'uuid', values: prices.map(({ machineId }) => machineId) },
    { name: 'selection', type: 'text', values: prices.map(({ selection }) => selection) },
    { name: 'price_table', type: 'smallint', values: prices.map(({ priceTable }) => priceTable) },
  ] as const
