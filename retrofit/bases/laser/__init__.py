"""Provide LASER1 and LASER2 without fairseq: subwords, five layers of LSTMs, the maximum over tokens.

::

    "Der Junge,  (sagt er) …"
        ──LASER1: words of Moses, jieba, MeCab──> der junge , ( sagt er ) ... ──BPE──> ids (T,), </s> last
        ──LASER2: clean──> "der junge, (sagt er)..." ──SentencePiece──> ids (T,), </s> last
        ──embed──> (T, 320) ──BiLSTM ×5──> (T, 1024) ──max over T──> sentence (1024,)

One encoder for 93 languages. Source: Artetxe and Schwenk 2019, Massively Multilingual Sentence Embeddings;
Heffernan et al. 2022, Bitext Mining Using Distilled Sentence Representations (LASER2).
"""
