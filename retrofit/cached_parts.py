"""Cache base and channels separately, so that cached vectors serve all weights.

::

    sentences ──CachedEncoder(base)──────────────────> s
             └──CachedEncoder(ChannelEncoder(AMR))───> h     parsed and encoded if not in the cache
"""

from collections.abc import Sequence

from amrx.encoder import TextEncoder, as_sentences
from amrx.langid import fill_languages
from amrx.types import Codes, Encoder, Parse, Vectors
from amrx.validation import encode_checked
from amrx.vector_cache import CachedEncoder, VectorCache
from retrofit.combine import Channel, RetrofittedEncoder, Side


class ChannelEncoder(TextEncoder):
    """A single channel of an encoder; its vector is zero if the parse failed."""

    def __init__(self, encoder: RetrofittedEncoder, channel: Channel) -> None:
        self._encoder, self._channel = encoder, channel
        self.name, self.dimension = channel.name, channel.dimension
        reads = None if isinstance(channel, Encoder) else encoder.parser
        self.fingerprint = f"{'' if reads is None else reads.fingerprint}|{channel.fingerprint}|side"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        langs = fill_languages(as_sentences(texts, lang))
        [side] = self._encoder.sides(
            texts, langs, encoders=[self._channel], batch_size=batch_size, progress=progress
        )
        return side.vectors


class CachedParts(RetrofittedEncoder):
    """An encoder that looks up base and channels in the cache first; it has the same name and fingerprint."""

    def __init__(self, encoder: RetrofittedEncoder, cache: VectorCache) -> None:
        base = CachedEncoder(encoder.base, cache)
        super().__init__(
            base, encoder.parser, encoder.encoders, weight=encoder.weights,
            integration=encoder.integration, source=encoder.source, dimensions=encoder.dimensions,
        )  # fmt: skip
        self._channels = [CachedEncoder(ChannelEncoder(encoder, one), cache) for one in encoder.encoders]
        self._parts = (base, *self._channels)

    @property
    def hits(self) -> int:
        """The number of vectors of parts found in the cache so far."""
        return sum(part.hits for part in self._parts)

    def sides(
        self,
        texts: Sequence[str],
        langs: Sequence[str],
        *,
        encoders: Sequence[Channel] | None = None,
        parses: Sequence[Parse] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        ids: Sequence[str] | None = None,
    ) -> list[Side]:
        """Return the channels of sentences; arguments as in `RetrofittedEncoder.sides`.

        Given parses are encoded without the cache.
        """
        if parses is not None:
            return super().sides(
                texts,
                langs,
                encoders=encoders,
                parses=parses,
                batch_size=batch_size,
                progress=progress,
                ids=ids,
            )
        sides = []
        for one in self._kept if encoders is None else encoders:
            cached = self._channels[self.encoders.index(one)]
            vectors = encode_checked(cached, texts, langs, ids=ids, batch_size=batch_size, progress=progress)
            side = Side.whole(vectors)
            if not isinstance(one, Encoder):
                side.present[:] = vectors.any(axis=1)  # the vector is zero if the parse failed
            sides.append(side)
        return sides
