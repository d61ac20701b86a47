import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ProductChoice, productChoices } from '#contract/catalogue/product-choice.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { contains, folded } from '#domain/frame/folded.ts'
import { queryOf } from '#portal/app/api.ts'

/** Products of a merchant, found by typed or pasted text. */
export interface Products {
  byId: ReadonlyMap<string, ProductChoice>
  /** The product with a code, a unique name, or a label; without accents, if only one name is meant. */
  find: (text: string) => string | undefined
  /** Labels of products whose code or name contains a text. */
  suggest: (text: string) => readonly string[]
  labelOf: (id: string) => string | undefined
}

const mostSuggested = 20
const low = (text: string) => text.toLocaleLowerCase()
const labelled = ({ code, name }: ProductChoice) => `${code} · ${name}`

export function productsOf(items: readonly ProductChoice[]): Products {
  const byId = new Map(items.map((product) => [product.id, product]))
  const byName = Map.groupBy(items, ({ name }) => low(name))
  const byText = new Map([
    ...[...byName].flatMap(([name, same]) => (same.length === 1 && same[0] ? [[name, same[0].id] as const] : [])),
    ...items.flatMap((product) => [
      [low(labelled(product)), product.id] as const,
      [low(product.code), product.id] as const,
    ]),
  ])
  const byFoldedName = Map.groupBy(items, ({ name }) => folded(name))
  const onlyOne = (text: string) => {
    const [first, ...others] = byFoldedName.get(folded(text)) ?? []
    return others.length === 0 ? first?.id : undefined
  }
  return {
    byId,
    find: (text) => byText.get(low(text)) ?? (byId.has(text) ? text : onlyOne(text)),
    suggest: (text) => {
      const labels: string[] = []
      for (const product of items) {
        const label = labelled(product)
        if (contains(label, text) && labels.push(label) === mostSuggested) break
      }
      return labels
    },
    labelOf: (id) => {
      const product = byId.get(id)
      return product && labelled(product)
    },
  }
}

/** Undefined while they load. */
export function useProductChoices(merchantId: string | undefined): Products | undefined {
  const params = { merchantId: merchantId ?? allMerchants }
  const { data } = useQuery({
    ...queryOf(productChoices.listProductChoices, { params }),
    enabled: merchantId !== undefined,
  })
  return useMemo(() => data && productsOf(data.items), [data])
}
