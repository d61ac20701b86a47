import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataRetrievalRequest, dataRetrievalRequests } from '#contract/insight/data-retrieval-request.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'

/** The link to the file of a completed request. */
export function DownloadLink({ request }: { request: DataRetrievalRequest }) {
  const { t } = useTranslation(['data-retrieval-request', 'errors'])
  const format = useFormat()
  const client = useQueryClient()
  const { link, merchantId, id, dataType, startDate, endDate } = request
  if (!link) return null
  const facts = {
    type: t(`data-retrieval-request:type.${dataType}`),
    from: format.day(startDate),
    to: format.day(endDate),
  }
  /** The server is checked first: for an expired file the browser would only show a failed download. */
  const get = async (event: MouseEvent<HTMLAnchorElement>) => {
    event.stopPropagation()
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    try {
      const params = { merchantId, dataRetrievalRequestId: id }
      const now = await client.fetchQuery({
        ...queryOf(dataRetrievalRequests.getDataRetrievalRequest, { params }),
        staleTime: 0,
      })
      if (!now.link) return void toast.error('errors:DataRetrievalRequestExpired')
      Object.assign(document.createElement('a'), { href: now.link, download: '' }).click()
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Button
      component="a"
      href={link}
      download
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      aria-label={t('data-retrieval-request:downloadOf', facts)}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => void get(event)}
    >
      {t('data-retrieval-request:download')}
    </Button>
  )
}
