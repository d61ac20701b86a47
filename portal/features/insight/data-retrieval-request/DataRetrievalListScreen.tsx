import { useTranslation } from 'react-i18next'
import {
  type DataRetrievalRequest,
  dataRetrievalRequestColumns,
  dataRetrievalRequestOrds,
  dataRetrievalRequests,
} from '#contract/insight/data-retrieval-request.ts'
import { retrievalStatuses, retrievalTypes } from '#contract/vocabulary/insight/data-retrieval.ts'
import { call } from '#portal/app/api.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { useBulkRemove } from '#portal/ui/list/useBulkRemove.tsx'
import { DownloadLink } from './DownloadLink.tsx'
import { retrievalLooks } from './retrievalLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const

const Day = ({ children }: { children: string }) => <span style={{ whiteSpace: 'nowrap' }}>{children}</span>

/** Why there is no file, or the rows of each file. */
function messageOf({ t, format }: Say, { message, status, files, rows }: DataRetrievalRequest): string {
  if (message) return t(`data-retrieval-request:message.${message}`)
  if (status === 'created')
    return rows > 0 ? t('data-retrieval-request:written', { count: rows, number: format.number(rows) }) : ''
  return files
    .map((file) => t('data-retrieval-request:inFile', { file: `${file.name}.csv`, number: format.number(file.rows) }))
    .join(' · ')
}

const columns = recordColumns<DataRetrievalRequest>(
  dataRetrievalRequestColumns,
  dataRetrievalRequestOrds,
  (say: Say) => ({
    lines: ['startDate', 'endDate', 'message', 'expiresAt', 'file'],
    hidden: ['createdBy'],
    statuses: { retrievalStatus: retrievalLooks },
    looks: {
      dataType: { width: 190 },
      startDate: { cell: ({ startDate }) => <Day>{say.format.day(startDate)}</Day> },
      endDate: { cell: ({ endDate }) => <Day>{say.format.day(endDate)}</Day> },
      message: { width: 250, cell: (request) => messageOf(say, request) },
      file: { width: 150, cell: (request) => <DownloadLink request={request} /> },
    },
  }),
)

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('data-retrieval-request:filter.search') },
  { key: 'period', kind: 'period', name: t('data-retrieval-request:filter.period') },
  anyOf('statuses', t('data-retrieval-request:field.status'), retrievalStatuses, (status) =>
    t(`data-retrieval-request:status.${status}`),
  ),
  anyOf('dataTypes', t('data-retrieval-request:field.dataType'), retrievalTypes, (type) =>
    t(`data-retrieval-request:type.${type}`),
  ),
]

/** Requests for historical data, with their files. */
export default function DataRetrievalListScreen() {
  const { t } = useTranslation('data-retrieval-request')
  const { bulk, dialog } = useBulkRemove<DataRetrievalRequest>({
    needs: 'dataRetrieval.write',
    name: t('remove.do'),
    question: (many) => ({
      title: t('remove.title', many),
      consequence: t('remove.consequence'),
      confirm: t('remove.confirm', many),
    }),
    done: 'data-retrieval-request:remove.done',
    list: dataRetrievalRequests.listDataRetrievalRequests,
    remove: ({ id: dataRetrievalRequestId, merchantId }) =>
      call(dataRetrievalRequests.deleteDataRetrievalRequest, { params: { merchantId, dataRetrievalRequestId } }),
  })
  return (
    <>
      <ListScreen
        id="dataRetrievalRequests"
        words="data-retrieval-request"
        row={dataRetrievalRequests.listDataRetrievalRequests}
        columns={columns}
        filters={filters}
        order={order}
        bulk={bulk}
        create={{
          name: t('create'),
          needs: 'dataRetrieval.write',
          does: { to: '/manage/data-retrieval-requests-create' },
        }}
        exports="dataRetrievalRequests"
      />
      {dialog}
    </>
  )
}
