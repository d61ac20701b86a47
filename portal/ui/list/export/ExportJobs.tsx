import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type ExportJob, exports } from '#contract/export/export.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import classes from './ExportMenu.module.css'

const everyMillis = 1000
const isOpen = ({ status }: ExportJob) => status === 'waiting' || status === 'running'

/** A user's exports of the last hours, of any merchant and list: their progress and their files. */
export function ExportJobs() {
  const { t } = useTranslation('export')
  const { data, error, refetch } = useQuery({
    ...queryOf(exports.listExports, { params: { merchantId: allMerchants } }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? everyMillis : false),
  })
  return (
    <section className={classes.mine} aria-label={t('mine')}>
      <Title order={2} fz="sm" fw={600} lh="inherit">
        {t('mine')}
      </Title>
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : data?.length === 0 ? (
        <Text mt="hair" fz="xs" className={classes.text}>
          {t('none')}
        </Text>
      ) : (
        <Stack component="ul" gap="sm" mah={220} mt="near" className="scrolls-down">
          {data?.map((job) => (
            <Job key={job.id} job={job} />
          ))}
        </Stack>
      )}
    </section>
  )
}

function Job({ job }: { job: ExportJob }) {
  const { t } = useTranslation('export')
  const name = `${t(`lists.${job.list}`)} · ${t(job.format)}`
  return (
    <Stack component="li" gap="tight">
      <Group gap="near" wrap="nowrap" justify="space-between">
        <Text span fz="sm">
          {name}
        </Text>
        <JobAct job={job} name={name} />
      </Group>
      {job.status === 'running' && (
        <Progress
          size="sm"
          value={job.total ? Math.min(100, (100 * job.written) / job.total) : 0}
          animated={job.total === null}
          aria-label={name}
        />
      )}
      <JobState job={job} />
    </Stack>
  )
}

function JobAct({ job, name }: { job: ExportJob; name: string }) {
  const { t } = useTranslation('export')
  const cancel = useCommand(exports.cancelExport)
  if (isOpen(job))
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        loading={cancel.isPending}
        aria-label={`${t('cancel')}: ${name}`}
        onClick={() => cancel.mutate({ params: { merchantId: job.merchantId, exportId: job.id } })}
      >
        {t('cancel')}
      </Button>
    )
  return job.link ? <FileLink job={job} link={job.link} name={name} /> : null
}

function FileLink({ job, link, name }: { job: ExportJob; link: string; name: string }) {
  const { t } = useTranslation('export')
  const client = useQueryClient()
  const refuse = async (error: unknown) => {
    const { toast } = await import('#portal/app/toast/toast.tsx')
    toast.error(error)
    void client.invalidateQueries({ queryKey: [exports.listExports.path] })
  }
  /** The server is checked first: for an expired file the browser would only show a failed download. */
  const get = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    try {
      const params = { merchantId: job.merchantId, exportId: job.id }
      const now = await client.fetchQuery({ ...queryOf(exports.getExport, { params }), staleTime: 0 })
      if (!now.link) return void refuse('errors:ExportExpired')
      Object.assign(document.createElement('a'), { href: now.link, download: now.fileName ?? '' }).click()
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'ExportNotFound'
      void refuse(isGone ? 'errors:ExportExpired' : error)
    }
  }
  return (
    <a
      className={classes.link}
      href={link}
      download={job.fileName ?? true}
      aria-label={`${t('download')}: ${name}`}
      onClick={(event) => void get(event)}
    >
      {t('download')}
    </a>
  )
}

function JobState({ job }: { job: ExportJob }) {
  const { t } = useTranslation(['export', 'errors'])
  const format = useFormat()
  const { timeZone } = useMerchant()
  const expiry = instantOf(job.expiresAt)
  const rows = { count: job.written, number: format.number(job.written) }
  const words = {
    waiting: () => t('export:waiting'),
    running: () =>
      job.total === null
        ? t('export:running')
        : t('export:written', {
            count: job.total,
            written: format.number(job.written),
            number: format.number(job.total),
          }),
    done: () =>
      !job.link
        ? t('errors:ExportExpired')
        : [t('export:rows', rows), expiry && t('export:until', { time: format.instant(expiry, 'minute', timeZone) })]
            .filter(Boolean)
            .join(' · '),
    failed: () => `${t('export:failed')}: ${t(`errors:${job.failure ?? 'Internal'}`)}`,
    cancelled: () => t('export:cancelled'),
  } satisfies Record<ExportJob['status'], () => string>
  return (
    <Text mt="hair" fz="xs" className={classes.text} data-state={job.status}>
      {words[job.status]()}
    </Text>
  )
}
