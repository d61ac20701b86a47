import { endpoints } from '../endpoints.ts'
import type { Feature } from '../vocabulary/feature.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { type Gates, gatesOf } from './of-feature.ts'

/** Names of fields by the feature that the contract declares them to be of, for records that are kept by their fields' names. */
export const fieldsByFeature: ReadonlyMap<Feature, readonly string[]> = (() => {
  const names = new Map<Feature, Set<string>>()
  const gather = (gates: Gates) => {
    for (const [name, { feature, within }] of gates) {
      if (feature) names.set(feature, (names.get(feature) ?? new Set()).add(name))
      if (within) gather(within)
    }
  }
  for (const { ok, body } of Object.values<AnyEndpoint>(endpoints)) {
    gather(gatesOf(ok))
    gather(gatesOf(body))
  }
  return new Map([...names].map(([feature, fields]) => [feature, [...fields].sort()]))
})()
