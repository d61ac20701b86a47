import { ActionIcon, Button, Flex, NumberInput, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { idleKinds, type ScreenIdle } from '#contract/configurations/screen-content.ts'
import { type ScreenFile, screenFiles } from '#contract/configurations/screen-file.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { FileChoice, FileThumb } from './FileChoice.tsx'
import classes from './Screen.module.css'
import { useScreenFile } from './useScreenFile.ts'

/** What the screen shows between customers: nothing, pictures one after the other, or a video. */
export const IdleField: DrawField = ({ values: _, merchantId, isNullable: __, ...props }) => {
  const { t } = useTranslation('screen-configuration')
  const { value, set, input, isFixed } = useField<ScreenIdle, Record<string, unknown>>(props)
  const [isChoosing, setChoosing] = useState(false)
  const { data: files = [] } = useQuery({
    ...queryOf(screenFiles.listScreenFiles, { params: { merchantId: merchantId ?? allMerchants } }),
    enabled: merchantId !== undefined,
  })
  const kind = value.kind === 'video' ? 'video' : 'picture'
  const change = (some: Partial<ScreenIdle>) => set({ ...value, ...some })
  const number = (name: 'seconds' | 'after', min: number, max: number) => (
    <NumberInput
      w={190}
      label={t(`idle.${name}`)}
      value={value[name]}
      min={min}
      max={max}
      disabled={isFixed}
      onChange={(next) => change({ [name]: Number(next) || min })}
    />
  )
  return (
    <Stack gap="part" miw={0} className="whole">
      <SegmentedControl
        maw="100%"
        style={{ alignSelf: 'start' }}
        aria-label={t('field.idle')}
        value={value.kind}
        disabled={isFixed}
        data={idleKinds.map((one) => ({ value: one, label: t(`idle.kind.${one}`) }))}
        onChange={(next) => change({ kind: next as ScreenIdle['kind'], fileIds: [] })}
      />
      {value.kind !== 'none' && (
        <>
          <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
            {number('after', 5, 3600)}
            {value.kind === 'pictures' && number('seconds', 2, 300)}
          </Flex>
          <FileTiles idle={value} merchantId={merchantId} files={files} isFixed={isFixed} change={change} />
          {value.kind === 'video' && value.fileIds[0] && <Video merchantId={merchantId} id={value.fileIds[0]} />}
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={15} aria-hidden />}
              disabled={isFixed || merchantId === undefined}
              onClick={() => setChoosing(true)}
            >
              {t(kind === 'video' ? 'idle.chooseVideo' : 'idle.addPicture')}
            </Button>
          </div>
        </>
      )}
      {input.error && (
        <Text c="crit" fz="fine" role="alert">
          {input.error}
        </Text>
      )}
      {isChoosing && merchantId && (
        <FileChoice
          merchantId={merchantId}
          kind={kind}
          close={() => setChoosing(false)}
          choose={({ id }) =>
            change({ fileIds: kind === 'video' ? [id] : [...value.fileIds.filter((one) => one !== id), id].slice(-20) })
          }
        />
      )}
    </Stack>
  )
}

interface TilesProps {
  idle: ScreenIdle
  merchantId: string | undefined
  files: readonly Pick<ScreenFile, 'id' | 'name'>[]
  isFixed: boolean
  change: (some: Partial<ScreenIdle>) => void
}

/** The pictures in their order, or the video; they can be moved and removed. */
function FileTiles({ idle, merchantId, files, isFixed, change }: TilesProps) {
  const { t } = useTranslation('screen-configuration')
  const kind = idle.kind === 'video' ? 'video' : 'picture'
  const move = (at: number, to: number) => {
    const fileIds = [...idle.fileIds]
    const [one] = fileIds.splice(at, 1)
    if (one) fileIds.splice(to, 0, one)
    change({ fileIds })
  }
  return (
    <SimpleGrid component="ul" minColWidth={130} spacing="xs">
      {idle.fileIds.map((id, at) => (
        <li key={id} className={classes.tile}>
          <FileThumb merchantId={merchantId ?? ''} file={{ id, kind }} />
          <span>{files.find((file) => file.id === id)?.name ?? '…'}</span>
          <Flex component="span" justify="flex-end">
            {idle.kind === 'pictures' && idle.fileIds.length > 1 && (
              <>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('idle.earlier', { number: at + 1 })}
                  disabled={isFixed || at === 0}
                  onClick={() => move(at, at - 1)}
                >
                  <IconArrowLeft size={15} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('idle.later', { number: at + 1 })}
                  disabled={isFixed || at === idle.fileIds.length - 1}
                  onClick={() => move(at, at + 1)}
                >
                  <IconArrowRight size={15} aria-hidden />
                </ActionIcon>
              </>
            )}
            <ActionIcon
              variant="subtle"
              aria-label={t('idle.remove', { number: at + 1 })}
              disabled={isFixed}
              onClick={() => change({ fileIds: idle.fileIds.filter((one) => one !== id) })}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Flex>
        </li>
      ))}
    </SimpleGrid>
  )
}

/** The video, loaded once it is played. */
function Video({ merchantId, id }: { merchantId: string | undefined; id: string }) {
  const { t } = useTranslation('screen-configuration')
  const [isWanted, setWanted] = useState(false)
  const url = useScreenFile(merchantId, isWanted ? id : null)
  if (!url)
    return (
      <div>
        <Button variant="subtle" loading={isWanted} onClick={() => setWanted(true)}>
          {t('idle.play')}
        </Button>
      </div>
    )
  return <video className={classes.video} src={url} controls autoPlay muted loop aria-label={t('idle.kind.video')} />
}
