import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { fetchRow } from '#portal/app/api.ts'

/** A stored file as an address of this page; undefined while it loads. */
export function useFileUrl(row: AnyEndpoint, params: Record<string, string>, fileId: string | null | undefined) {
  const { data } = useQuery({
    queryKey: [row.path, params, fileId],
    queryFn: async ({ signal }) => (await fetchRow(row, { params }, signal)).blob(),
    enabled: Boolean(fileId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const [made, setMade] = useState<{ of: Blob; url: string }>()
  useEffect(() => {
    if (!data) return
    const url = URL.createObjectURL(data)
    setMade({ of: data, url })
    return () => URL.revokeObjectURL(url)
  }, [data])
  // The address of an earlier file is revoked.
  return data && made?.of === data ? made.url : undefined
}
