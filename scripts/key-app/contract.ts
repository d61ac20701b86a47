import type { Plugin } from 'vite'
import { type DataOfRow, dataOfModule, moduleOf } from '../portal/contract-data.ts'

/** What the customers' app needs to call an endpoint. */
export const callOf: DataOfRow = ({ method, path, needs }) => ({ method, path, needs })

/**
 * Gives the customers' app the contract as data. The server checks what the app sends, so the app needs neither zod nor the rules
 * of fields. An import of a schema or a function fails the build.
 */
export const contractAsData = (): Plugin => ({
  name: 'contract-as-data',
  enforce: 'pre',
  async load(id) {
    return /\/contract\/.*\.ts$/.test(id) ? moduleOf(await dataOfModule(id, callOf)) : undefined
  },
})
