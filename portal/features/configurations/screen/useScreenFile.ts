import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { screenFiles } from '#contract/configurations/screen-file.ts'
import { fetchRow } from '#portal/app/api.ts'

/** An uploaded file as an address of this page; undefined while it loads. */
export function useScreenFile(merchantId: string | undefined, screenFileId: string | null | undefined) {
  const { data } = useQuery({
    queryKey: [screenFiles.getScreenFileContent.path, screenFileId],
    queryFn: async ({ signal }) => {
      const params = { merchantId: merchantId ?? '', screenFileId: screenFileId ?? '' }
      return (await fetchRow(screenFiles.getScreenFileContent, { params }, signal)).blob()
    },
    enabled: Boolean(merchantId && screenFileId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return data && screenFileId ? url : undefined
}
