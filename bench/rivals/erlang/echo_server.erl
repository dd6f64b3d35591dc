%% The gen_server of the comparison: answers a call with the payload's number, counts casts.
-module(echo_server).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2]).

start_link() -> gen_server:start_link({local, echo}, ?MODULE, [], []).

init([]) -> {ok, 0}.

handle_call(count, _From, Count) -> {reply, Count, Count};
handle_call(#{<<"sequence">> := N}, _From, Count) -> {reply, #{<<"sequence">> => N}, Count + 1}.

handle_cast(#{<<"sequence">> := _N}, Count) -> {noreply, Count + 1}.
